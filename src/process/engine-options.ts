import { setFlagsFromString } from 'node:v8'

/** Old objects are collected when they have grown by a fifth. By default V8 waits for up to four times as
 * much where the machine has memory, and the pages stay with the process. It is no limit. Node does not
 * take the option in NODE_OPTIONS. */
export function setUpEngine(): void {
  setFlagsFromString('--heap-growing-percent=20')
}
