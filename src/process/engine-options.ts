import { setFlagsFromString } from 'node:v8'

/** Node takes none of these options in NODE_OPTIONS, nor by another name. */
export function setUpEngine(kind: 'api' | 'worker'): void {
  // Old objects are collected when they have grown by a fifth. By default V8 waits for up to four times
  // as much where the machine has memory, and the pages stay with the process. It is no limit.
  setFlagsFromString('--heap-growing-percent=20')
  // Young objects, of a few MiB, are collected by the thread that made them. To wake others, and wait
  // until each had a core, took longer than what they did.
  setFlagsFromString('--no-parallel-scavenge')
  if (kind === 'api') {
    // What V8's middle compiler has finished with is freed by the thread that takes the result.
    // Otherwise it waits until a thread has nothing to compile, which took seconds and 20 MiB. A worker
    // compiles less, and delivered 4 % fewer events with it.
    setFlagsFromString('--no-maglev-destroy-on-background')
  } else {
    // V8's last compiler works for minutes after a start, for milliseconds at a time, on cores that
    // deliveries wait for. What the worker does is as fast without it; the API answers a tenth less.
    setFlagsFromString('--no-turbofan')
  }
}
