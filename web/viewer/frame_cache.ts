// Frames that were fetched, at most so many bytes: what was not used for longest goes first. The page never holds a whole run.
import type {Block} from './data.ts';

export class FrameCache<Frame> {
  private readonly blocks: Block<Frame>[] = []; // the last one was used last
  private bytes = 0;
  private waiting: {frame: number; promise: Promise<Frame>} | null = null;
  private ahead: Promise<void> | null = null;
  /** Frames of one request: about as many as four megabytes hold. */
  private range = 1;

  constructor(
    private readonly fetch: (first: number, count: number) => Promise<Block<Frame>>,
    private readonly budget: number,
  ) {}

  held(): number {
    return this.bytes;
  }

  /** The frame where it is here already. */
  peek(frame: number): Frame | null {
    const at = this.blocks.findIndex(({first, frames}) => frame >= first && frame < first + frames.length);
    if (at < 0) return null;
    const block = this.blocks.splice(at, 1)[0];
    this.blocks.push(block);
    return block.frames[frame - block.first];
  }

  async get(frame: number): Promise<Frame> {
    const here = this.peek(frame);
    if (here !== null) return here;
    if (this.waiting?.frame === frame) return this.waiting.promise;
    const promise = this.load(frame).then(() => {
      const got = this.peek(frame);
      if (got === null) throw new Error(`frame ${frame} is not there any more`);
      return got;
    });
    this.waiting = {frame, promise};
    try {
      return await promise;
    } finally {
      if (this.waiting?.promise === promise) this.waiting = null;
    }
  }

  /** Fetches what playing needs next, one request at a time. */
  prefetch(frame: number, records: number) {
    if (this.ahead || this.waiting) return;
    let next = frame;
    while (next < records && next < frame + 2 * this.range && this.here(next)) ++next;
    if (next >= records || next >= frame + 2 * this.range) return;
    this.ahead = this.load(next)
      .catch(() => {})
      .finally(() => (this.ahead = null));
  }

  forget() {
    this.blocks.length = 0;
    this.bytes = 0;
  }

  private here(frame: number): boolean {
    return this.blocks.some(({first, frames}) => frame >= first && frame < first + frames.length);
  }

  private async load(first: number): Promise<void> {
    const block = await this.fetch(first, this.range);
    if (block.frames.length === 0) return;
    this.range = Math.max(1, Math.min(64, Math.round((4e6 * block.frames.length) / block.bytes)));
    this.blocks.push(block);
    this.bytes += block.bytes;
    while (this.bytes > this.budget && this.blocks.length > 1) this.bytes -= this.blocks.shift()!.bytes;
  }
}
