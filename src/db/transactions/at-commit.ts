import type { Tx } from './transaction.ts'

/** An item that a transaction has collected. `sender` is given all that it has. */
export type Collected = { item: unknown; sender: Sender }

type Sender = (tx: Tx, items: readonly unknown[]) => void

/** Returns what collects an item of a transaction. `send` is called just before COMMIT with all of them, in
 * the order of their coming, and sends the last statements. */
export function atCommit<Item>(
  send: (tx: Tx, items: readonly Item[]) => void,
): (tx: Tx, item: Item) => void {
  const sender: Sender = (tx, items) => send(tx, items as readonly Item[])
  return (tx, item) => {
    tx.collected.push({ item, sender })
  }
}

/** Once: to be called just before COMMIT. */
export function sendCollected(tx: Tx): void {
  for (const [sender, collected] of Map.groupBy(tx.collected.splice(0), (one) => one.sender)) {
    sender(
      tx,
      collected.map(({ item }) => item),
    )
  }
}
