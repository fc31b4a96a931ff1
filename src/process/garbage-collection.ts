import { setFlagsFromString } from 'node:v8'

/** Node takes none of these options in NODE_OPTIONS, nor by another name. */
export function setUpCollection(): void {
  // Old objects are collected when they have grown by a fifth. By default V8 waits for up to four times
  // as much where the machine has memory, and the pages stay with the process. It is no limit.
  setFlagsFromString('--heap-growing-percent=20')
  // Young objects, of a few MiB, are collected by the thread that made them. To wake others, and wait
  // until each had a core, took longer than what they did.
  setFlagsFromString('--no-parallel-scavenge')
}
