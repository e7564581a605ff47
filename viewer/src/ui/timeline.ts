// Play, pause, step, scrub, speed.
import { el, iconButton, select, setIcon, tell } from './dom';

export interface Playback {
  frames: number;
  frame: number;
  playing: boolean;
  time: number;
  end: number;
}

export class Timeline {
  readonly root: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly label = el('output', { class: 'time', 'aria-live': 'off' });
  readonly speed: HTMLSelectElement;
  readonly loop: HTMLButtonElement;
  readonly follow: HTMLInputElement;
  private readonly followRow: HTMLElement;

  constructor(actions: { toggle(): void; go(frame: number): void; step(by: number): void; speed(framesPerSecond: number): void; loop(): void; follow(on: boolean): void }) {
    this.play = iconButton('play', 'Play', actions.toggle);
    this.play.classList.add('primary');
    this.slider = el('input', { type: 'range', min: 0, max: 0, step: 1, 'aria-label': 'Frame', input: () => actions.go(Number(this.slider.value)) });
    this.speed = select('Speed of playing', [1, 2, 5, 10, 20, 30, 60].map((n) => [String(n), `${n} frames/s`]), (value) => actions.speed(Number(value)));
    this.speed.value = '20';
    this.loop = iconButton('loop', 'Repeat', actions.loop);
    this.follow = el('input', { type: 'checkbox', change: () => actions.follow(this.follow.checked) });
    this.followRow = el('label', { class: 'live' }, this.follow, ' newest');
    this.followRow.title = 'Keep to the newest frame while the run grows';
    const step = (icon: string, label: string, press: () => void) => {
      const button = iconButton(icon, label, press);
      button.classList.add('step');
      return button;
    };
    this.root = el('footer', { class: 'timeline', 'aria-label': 'Time' },
      step('first', 'First frame', () => actions.go(0)), step('previous', 'One frame back', () => actions.step(-1)), this.play,
      step('next', 'One frame on', () => actions.step(1)), step('last', 'Last frame', () => actions.go(Infinity)),
      this.slider, this.label, this.followRow, this.speed, this.loop);
  }

  update(state: Playback, live: boolean): void {
    this.slider.max = String(Math.max(0, state.frames - 1));
    this.slider.value = String(state.frame);
    this.slider.setAttribute('aria-valuetext', `frame ${state.frame}, ${tell(state.time)} s`);
    this.label.textContent = state.frames ? `${tell(state.time)} s  ·  frame ${state.frame} of ${state.frames - 1}` : 'no frames yet';
    setIcon(this.play, state.playing ? 'pause' : 'play', state.playing ? 'Pause' : 'Play');
    this.followRow.hidden = !live;
  }
}
