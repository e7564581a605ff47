import './style.css';
import { App } from './app';
import { PageSource, ServerSource, type Source } from './data/source';

async function main(): Promise<void> {
  const host = document.getElementById('app')!;
  if (!document.createElement('canvas').getContext('webgl2')) return fail(host, 'This page draws with WebGL 2, which this browser does not offer. Turn on hardware acceleration in its settings, or open the page in a recent Firefox, Chrome or Safari. Without it: scree export RUN --format vtk and ParaView, or tools/picture RUN.');
  const source: Source = PageSource.isIn(document) ? new PageSource(document) : new ServerSource();
  try {
    const app = new App(host, source, await source.summary(0));
    (window as Window & { scree?: App }).scree = app; // for the console, and for tests
    await app.start();
  } catch (error) {
    fail(host, `The viewer could not start: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}

function fail(host: HTMLElement, message: string): void {
  const text = document.createElement('p');
  text.className = 'failure';
  text.setAttribute('role', 'alert');
  text.textContent = message;
  host.replaceChildren(text);
}

void main();
