import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';

/** A page that shows prices while they are open: the package in a browser, without React. */
class Price extends Entity {
  id = 0;
  amount = 0;
  static override key = 'Price';
}

const Prices = createResource({ urlPrefix: '/api', path: '/prices/:id', schema: Price, pollFrequency: 1_000 });
const resources = configureResources({ unusedDataExpiryLength: 5_000 });
const store = configureStore({
  reducer: { resources: resources.reducer },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});

const open: { unsubscribe(): void }[] = [];
const button = (name: string, click: () => void): void => {
  const element = document.createElement('button');
  element.textContent = name;
  element.addEventListener('click', click);
  document.body.append(element);
};
button('Open', () => {
  open.push(store.dispatch(Prices.get.subscribe({ id: 1 })));
});
button('Close', () => {
  open.pop()?.unsubscribe();
});

const shown = document.createElement('output');
document.body.append(shown);
const show = (): void => {
  const state = store.getState();
  const { status, data, error } = Prices.get.selectRequest({ id: 1 })(state);
  const kept = resources.selectAll(Price)(state).length;
  shown.textContent = `${status}, price ${data?.amount ?? 'unknown'}, ${error ? error.name : 'no error'}, ${kept} kept`;
};
store.subscribe(show);
show();
