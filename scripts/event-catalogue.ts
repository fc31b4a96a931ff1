// npm run events: writes the catalogue of docs/events*.md below its marker. --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { exampleEvent } from '../src/domain/events/catalogue/event-examples.ts'
import {
  EVENT_TYPES,
  type EventType,
  eventDefinition,
  simulatedDataSchema,
} from '../src/domain/events/catalogue/event-types.ts'
import { eventSchema } from '../src/http/schemas/event-schema.ts'

type Schema = z.core.JSONSchema.JSONSchema

const MARKER = '<!-- From here on written by npm run events, from src/domain/events. -->'

/** The page that describes the events of a kind. */
const PAGE_OF = new Map([
  ['borrower', 'events-facilities.md'],
  ['facility', 'events-facilities.md'],
  ['draw', 'events-money.md'],
  ['repayment', 'events-money.md'],
  ['margin_warning', 'events-margin.md'],
  ['margin_call', 'events-margin.md'],
  ['margin_notice', 'events-notices.md'],
  ['webhook', 'events-notices.md'],
  ['api_key', 'events-notices.md'],
])

const pages = new Map([['events.md', renderOverview()]])
for (const page of new Set(PAGE_OF.values())) {
  const types = EVENT_TYPES.filter((type) => pageOf(type) === page)
  pages.set(page, types.flatMap(renderType).join('\n\n'))
}
for (const [page, catalogue] of pages) writeCatalogue(page, catalogue)

function writeCatalogue(page: string, catalogue: string): void {
  const path = fileURLToPath(new URL(`../docs/${page}`, import.meta.url))
  const text = readFileSync(path, 'utf8')
  const [prose, written] = text.split(MARKER)
  if (written === undefined) throw new Error(`${path} has no line ${MARKER}`)
  const wanted = `${prose}${MARKER}\n\n${catalogue}\n`
  if (text === wanted) return
  if (process.argv.includes('--check')) {
    console.error(`${path} is not what the code says. Run npm run events.`)
    process.exitCode = 1
  } else {
    writeFileSync(path, wanted)
  }
}

function pageOf(type: EventType): string {
  const kind = type.slice(0, type.indexOf('.'))
  const page = PAGE_OF.get(kind)
  if (page === undefined) throw new Error(`No page describes the events of a ${kind}.`)
  return page
}

function renderOverview(): string {
  const rows = EVENT_TYPES.map((type) => {
    const { resource } = exampleEvent(type)
    const link = `${pageOf(type)}#${type.replaceAll('.', '')}`
    return `| [\`${type}\`](${link}) | ${eventDefinition(type).firesWhen} | \`${resource.type}\` |`
  })
  return [
    '## The envelope',
    renderMembers(z.toJSONSchema(eventSchema), () => false),
    '## The types',
    ['| Event | Fires when | `resource` |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

function renderType(type: EventType): string[] {
  const { firesWhen, data } = eventDefinition(type)
  const simulated = z.toJSONSchema(simulatedDataSchema(type)).required ?? []
  return [
    `## ${type}`,
    `Fires when: ${firesWhen}.`,
    renderMembers(z.toJSONSchema(data), (name) => simulated.includes(name)),
    `\`\`\`json\n${JSON.stringify(exampleEvent(type).data, null, 2)}\n\`\`\``,
  ]
}

function renderMembers(schema: Schema, isSimulated: (name: string) => boolean): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    if (typeof member === 'boolean') throw new Error(`${name} has no schema.`)
    const mark = isSimulated(name) ? ' **\\***' : ''
    const optional = schema.required?.includes(name) ? '' : ', *optional*'
    return `| \`${name}\`${mark} | ${nameType(member)}${optional} | ${member.description ?? ''} |`
  })
  return ['| Member | Is | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function nameType(schema: Schema): string {
  const { title, type, properties, items } = schema
  if (schema.enum && schema.enum.length > 8) return 'a type below'
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (title) return title.includes('_') ? `\`${title}\`` : title
  if (type === 'array' && items && !Array.isArray(items) && typeof items !== 'boolean') {
    return `list of ${nameType(items)}`
  }
  if (properties) {
    const names = Object.keys(properties).map((name) => `\`${name}\``)
    return `{${names.join(', ')}}`
  }
  return type === 'string' && schema.format === 'date-time' ? 'timestamp' : String(type)
}
