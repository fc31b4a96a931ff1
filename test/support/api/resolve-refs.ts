type Json = Record<string, unknown>

/** The part of a document with every component in the place of the reference to it. */
export function resolveRefs<Part>(part: Part, document: { components: object }): Part {
  return JSON.parse(JSON.stringify(part), (_key, value) => {
    if (typeof value?.$ref !== 'string') return value
    const { $ref, ...beside } = value
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w-]+)$/.exec($ref) ?? []
    const component = (document.components as Record<string, Json>)[kind]?.[name]
    if (component === undefined) throw new Error(`The document has no ${$ref}.`)
    return { ...resolveRefs(component, document), ...beside }
  })
}
