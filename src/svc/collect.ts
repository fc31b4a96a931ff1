/** Everything that an iteration gives. (Array.fromAsync is younger than the language we compile for.) */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}
