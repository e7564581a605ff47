// Pictures and films of what is shown, with the legend and the time written in.
import type { Legend } from './ui/legend';
import type { Stage } from './render/stage';
import { tell } from './ui/dom';
import type { Overlay } from './ui/overlay';
import { zip } from './zip';

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export class Camera {
  private readonly canvas = document.createElement('canvas');

  constructor(private readonly stage: Stage, private readonly legends: Legend[], private readonly overlay: Overlay, private readonly ink: () => string) {}

  // Draws anew, for the browser may have let go of the last picture.
  take(time: number): HTMLCanvasElement {
    this.stage.drawSharp();
    const picture = this.stage.renderer.domElement;
    if (this.canvas.width !== picture.width || this.canvas.height !== picture.height) {
      this.canvas.width = picture.width;
      this.canvas.height = picture.height;
    }
    const pen = this.canvas.getContext('2d')!;
    const unit = picture.width / Math.max(1, picture.clientWidth);
    pen.drawImage(picture, 0, 0);
    this.legends.forEach((legend, k) => legend.paint(pen, picture.height - 76 * k * unit, unit, this.ink()));
    pen.fillStyle = this.ink();
    pen.textAlign = 'right';
    pen.textBaseline = 'bottom';
    pen.font = `${13 * unit}px system-ui, sans-serif`;
    pen.fillText(`${tell(time)} s`, picture.width - 16 * unit, picture.height - 16 * unit - 84 * unit);
    this.overlay.paint(pen, picture.width - 12 * unit, picture.height - 12 * unit, unit, this.ink());
    return this.canvas;
  }

  async png(time: number): Promise<Blob> {
    const canvas = this.take(time);
    return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the browser made no picture'))), 'image/png'));
  }

  // Each frame is shown by `show`, which returns its time. `goes` says false to stop early.
  async film(frames: number[], framesPerSecond: number, show: (frame: number) => Promise<number>, goes: () => boolean): Promise<Blob> {
    this.take(await show(frames[0]!)); // gives the canvas its size
    const stream = this.canvas.captureStream(0);
    const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((kind) => MediaRecorder.isTypeSupported(kind));
    const recorder = new MediaRecorder(stream, { ...(type ? { mimeType: type } : {}), videoBitsPerSecond: 12e6 });
    const pieces: Blob[] = [];
    recorder.addEventListener('dataavailable', (event) => pieces.push(event.data));
    const ended = new Promise((done) => recorder.addEventListener('stop', done));
    recorder.start(100);
    // The recorder goes by the clock, so frames are shown at their pace.
    let due = performance.now();
    for (const frame of frames) {
      if (!goes()) break;
      this.take(await show(frame));
      track.requestFrame();
      due = Math.max(due + 1000 / framesPerSecond, performance.now());
      await new Promise((done) => window.setTimeout(done, due - performance.now()));
    }
    // A slow encoder is behind: wait until it has given something, and then nothing more for a while.
    const given = () => pieces.reduce((sum, piece) => sum + piece.size, 0);
    for (let quiet = 0, before = 0, round = 0; quiet < 3 && round < 60; ++round) {
      await new Promise((done) => window.setTimeout(done, 200));
      quiet = given() > 0 && given() === before ? quiet + 1 : 0;
      before = given();
    }
    recorder.stop();
    await ended;
    return new Blob(pieces, { type: 'video/webm' });
  }

  async pictures(frames: number[], show: (frame: number) => Promise<number>, goes: () => boolean): Promise<Blob> {
    const files: { name: string; data: Uint8Array }[] = [];
    for (const frame of frames) {
      if (!goes()) break;
      const blob = await this.png(await show(frame));
      files.push({ name: `frame_${String(frame).padStart(6, '0')}.png`, data: new Uint8Array(await blob.arrayBuffer()) });
    }
    return new Blob(zip(files) as BlobPart[], { type: 'application/zip' });
  }
}
