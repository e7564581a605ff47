import './style.css';
import { App } from './app';
import { PageSource, ServerSource, type Source } from './data/source';

async function main(): Promise<void> {
  const host = document.getElementById('app')!;
  const source: Source = PageSource.isIn(document) ? new PageSource(document) : new ServerSource();
  try {
    const app = new App(host, source, await source.summary(0));
    (window as Window & { scree?: App }).scree = app; // for the console, and for tests
    await app.start();
  } catch (error) {
    const text = document.createElement('p');
    text.className = 'failure';
    text.setAttribute('role', 'alert');
    text.textContent = `The viewer could not start: ${error instanceof Error ? error.message : String(error)}`;
    host.replaceChildren(text);
    throw error;
  }
}

void main();
