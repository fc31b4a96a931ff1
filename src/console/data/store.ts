import { useSyncExternalStore } from 'react'

export type Store<Value> = { read: () => Value; write: (value: Value) => void; use: () => Value }

/** A value that outlives the page that shows it. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const read = () => value
  return {
    read,
    write(next) {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, read),
  }
}
