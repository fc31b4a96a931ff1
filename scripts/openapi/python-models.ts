import type { Model, Models, Type } from './models.ts'

const HEAD = `# Written by npm run openapi.
"""The objects of the service, as JSON has them: money, quantities and times are strings."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict`

const KEYWORDS = new Set([
  'from',
  'class',
  'in',
  'is',
  'global',
  'pass',
  'import',
  'return',
  'with',
])

/** A TypedDict of each model: what the service answers is one without being read again. */
export function printPythonModels({ models, events }: Models): string {
  const data = events.map(({ type, data: name }) => `    ${JSON.stringify(type)}: ${name},`)
  const choice = printChoice(events.map(({ type }) => type))
  return [
    HEAD,
    '',
    `EventType = ${choice}`,
    ...inOrder(models).map((model) => printModel(model).replaceAll(choice, 'EventType')),
    '',
    '# The model of the data of each type.',
    'EVENT_DATA: dict[str, type] = {',
    ...data,
    '}',
    '',
  ].join('\n')
}

/** Those that others name come first. */
function inOrder(models: readonly Model[]): Model[] {
  const byName = new Map(models.map((model) => [model.name, model]))
  const sorted = new Set<Model>()
  const visit = (model: Model) => {
    for (const { type } of model.members) {
      const inner = type.kind === 'list' ? type.of : type
      const named = inner.kind === 'model' ? byName.get(inner.name) : undefined
      if (named && named !== model && !sorted.has(named)) visit(named)
    }
    sorted.add(model)
  }
  models.forEach(visit)
  return [...sorted]
}

function printModel({ name, members }: Model): string {
  const rows = members.map(({ name: member, isRequired, type }) => {
    const text = printType(type)
    return [member, isRequired ? text : `NotRequired[${text}]`] as const
  })
  // A word of Python cannot be the name of a class's member.
  if (members.some((member) => KEYWORDS.has(member.name))) {
    const entries = rows.map(([member, text]) => `        ${JSON.stringify(member)}: ${text},`)
    return [
      '',
      '',
      `${name} = TypedDict(`,
      `    ${JSON.stringify(name)},`,
      '    {',
      ...entries,
      '    },',
      ')',
    ].join('\n')
  }
  const lines = rows.map(([member, text]) => `    ${member}: ${text}`)
  return ['', '', `class ${name}(TypedDict):`, ...(lines.length > 0 ? lines : ['    pass'])].join(
    '\n',
  )
}

function printType(type: Type): string {
  switch (type.kind) {
    case 'model':
      return type.name
    case 'list':
      return `list[${printType(type.of)}]`
    case 'map':
      return 'dict[str, Any]'
    case 'choice':
      return printChoice(type.values)
    case 'text':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'flag':
      return 'bool'
    case 'any':
      return 'Any'
    default: {
      const unreachable: never = type
      return unreachable
    }
  }
}

function printChoice(values: readonly string[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
}
