import { setFlagsFromString } from 'node:v8'

/** Node takes none of these options in NODE_OPTIONS, nor by another name. */
export function setUpEngine(kind: 'api' | 'worker'): void {
  // Old objects are collected when they have grown by a fifth. By default V8 waits for up to four times
  // as much where the machine has memory, and the pages stay with the process. It is no limit.
  setFlagsFromString('--heap-growing-percent=20')
  // Young objects, of a few MiB, are collected by the thread that made them. To wake others, and wait
  // until each had a core, took longer than what they did.
  setFlagsFromString('--no-parallel-scavenge')
  // What its middle compiler has finished with is freed by the thread that takes the result. Otherwise
  // it waits for a thread that has nothing to compile, which on busy cores takes seconds and 20 MiB.
  setFlagsFromString('--no-maglev-destroy-on-background')
  // V8's last compiler works for minutes after a start, for milliseconds at a time, on cores that
  // deliveries wait for. What the worker does is as fast without it; the API answers a tenth less.
  if (kind === 'worker') setFlagsFromString('--no-turbofan')
}
