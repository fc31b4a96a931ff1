/** The one of `types` that `Accept` ranks highest, of equal ranks the one it names first. Without any, and
 * for a range that several match, the first of `types`. */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly [Type, ...Type[]],
): Type {
  const ranges = (accept ?? '').split(',').flatMap((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const [, quality] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.at(-1) ?? '') ?? []
    const type = types.find((one) => isIn(one, name))
    return type ? [{ type, quality: Number(quality ?? 1) }] : []
  })
  const wanted = ranges.filter(({ quality }) => quality > 0)
  const [first] = wanted.sort((a, b) => b.quality - a.quality)
  return first?.type ?? types[0]
}

function isIn(type: string, range: string): boolean {
  return range === '*/*' || range === type || range === type.replace(/\/.*/, '/*')
}
