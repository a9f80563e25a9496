import { withBase } from 'vitepress';
import { h, type FunctionalComponent } from 'vue';

/** What stands where no page is. That of VitePress has no main part, and a link with another name than its text. */
export const NotFound: FunctionalComponent = () =>
  h('main', { class: 'not-found vp-doc' }, [
    h('h1', 'This page is not here'),
    h('p', [
      'It may have moved. Search for it, or begin with ',
      h('a', { href: withBase('/getting-started') }, 'getting started'),
      '.',
    ]),
  ]);
