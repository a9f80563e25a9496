/** The programs of the playground, read from the guides when the site is built. */
import { readPrograms, type Program } from '../../programs.js';

// VitePress replaces the module by what `load` gives, under this name.
declare const data: readonly Program[];
export { data };

export default {
  watch: ['../../../*.md', '../../../guides/*.md'],
  load: readPrograms,
};
