import type { App } from '../app';
import type { StandardView } from '../render/stage';

const VIEWS: Record<string, StandardView> = { '0': 'diagonal', '1': 'front', '2': 'back', '3': 'left', '4': 'right', '5': 'top', '6': 'bottom' };

export function bindKeys(app: App): void {
  const step = (by: number) => { app.pause(); void app.go(app.frame + by); };
  const actions: Record<string, () => void> = {
    ' ': () => app.togglePlay(),
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    z: () => app.lookAtGrains(),
    o: () => app.stage.setOrthographic(!app.stage.orthographic),
    c: () => app.nextField(),
    w: () => app.setWalls(!app.wallsShown),
    f: () => void app.setChains(!app.chainsShown),
    x: () => app.toggleClip(),
    g: () => app.follow(!app.isFollowing),
    p: () => app.togglePlot(),
    s: () => void app.screenshot(),
    t: () => app.switchTheme(),
    '?': () => app.toggleHelp(),
    h: () => app.toggleHelp(),
    Escape: () => app.select(null),
  };
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target;
    // Whoever types, or moves a slider, means that.
    if (at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement) return;
    if (at instanceof HTMLInputElement && (at.type === 'text' || (at.type === 'range' && event.key.startsWith('Arrow')) || event.key === ' ')) return;
    if (at instanceof HTMLButtonElement && event.key === ' ') return;
    const view = VIEWS[event.key];
    if (view) return app.stage.look(view);
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
