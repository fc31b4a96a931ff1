// npm run events: writes the catalogue of docs/events.md as the code has it, below the marker.
// With --check it writes nothing and fails where the page is not what the code says.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { exampleEvent } from '../src/domain/events/event-examples.ts'
import {
  EVENT_TYPES,
  type EventType,
  eventDefinition,
  simulatedDataSchema,
} from '../src/domain/events/event-types.ts'
import { eventSchema } from '../src/http/schemas/event-schema.ts'

type Schema = z.core.JSONSchema.JSONSchema

const PAGE = fileURLToPath(new URL('../docs/events.md', import.meta.url))
const MARKER = '<!-- From here on written by npm run events, from src/domain/events. -->'

const page = readFileSync(PAGE, 'utf8')
const [prose, written] = page.split(MARKER)
if (written === undefined) throw new Error(`${PAGE} has no line ${MARKER}`)
const wanted = `${prose}${MARKER}\n\n${renderCatalogue()}\n`

if (process.argv.includes('--check')) {
  if (page !== wanted) console.error(`${PAGE} is not what the code says. Run npm run events.`)
  process.exitCode = page === wanted ? 0 : 1
} else {
  writeFileSync(PAGE, wanted)
}

function renderCatalogue(): string {
  return [
    '## The envelope',
    renderMembers(z.toJSONSchema(eventSchema), () => false),
    '## The types',
    renderOverview(),
    ...EVENT_TYPES.flatMap(renderType),
  ].join('\n\n')
}

function renderOverview(): string {
  const rows = EVENT_TYPES.map((type) => {
    const { resource } = exampleEvent(type)
    const anchor = type.replaceAll('.', '')
    return `| [\`${type}\`](#${anchor}) | ${eventDefinition(type).firesWhen} | \`${resource.type}\` |`
  })
  return ['| Event | Fires when | `resource` |', '| --- | --- | --- |', ...rows].join('\n')
}

function renderType(type: EventType): string[] {
  const { firesWhen, data } = eventDefinition(type)
  const simulated = z.toJSONSchema(simulatedDataSchema(type)).required ?? []
  return [
    `### ${type}`,
    `Fires when: ${firesWhen}.`,
    renderMembers(z.toJSONSchema(data), (name) => simulated.includes(name)),
    `\`\`\`json\n${JSON.stringify(exampleEvent(type), null, 2)}\n\`\`\``,
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
