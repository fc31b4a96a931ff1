import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { variables } from '../../src/config/variables.ts'
import { readText } from './read-text.ts'

const NAMES = Object.keys(variables).sort()

type Setting = { value: string; isDefault: boolean }

const example = readExample()

function readExample(): Map<string, Setting> {
  const lines = readText('.env.example').matchAll(/^(# )?([A-Z][A-Z_]+)=(.*)$/gm)
  return new Map(
    [...lines].map(([, comment, name = '', value = '']) => [
      name,
      { value, isDefault: comment !== undefined },
    ]),
  )
}

function exampleEnvironment(choose: (setting: Setting) => boolean): Record<string, string> {
  const chosen = [...example].filter(([, setting]) => choose(setting))
  return Object.fromEntries(chosen.map(([name, { value }]) => [name, value]))
}

test('.env.example names every variable and no other', () => {
  expect(NAMES.length).toBeGreaterThan(20)
  expect([...example.keys()].sort()).toEqual(NAMES)
})

test('.env.example is a configuration that can be run', () => {
  expect(() => loadConfig(exampleEnvironment((setting) => !setting.isDefault))).not.toThrow()
})

test('what .env.example shows as defaults are the defaults', () => {
  const required = loadConfig(exampleEnvironment((setting) => !setting.isDefault))
  expect(loadConfig(exampleEnvironment(() => true))).toEqual(required)
})

test('docs/configuration.md lists every variable with its default', () => {
  const rows = readText('docs/configuration.md').matchAll(/^\| `([A-Z][A-Z_]+)` \|([^|]*)\|/gm)
  const documented = new Map([...rows].map(([, name = '', value = '']) => [name, value.trim()]))
  expect([...documented.keys()].sort()).toEqual(NAMES)
  for (const [name, { value, isDefault }] of example) {
    // Defaults that depend on another setting are described in words.
    if (!isDefault || !/^(`[^`]*`)?$/.test(documented.get(name) ?? '')) continue
    expect({ name, value: (documented.get(name) ?? '').replaceAll('`', '') }).toEqual({
      name,
      value,
    })
  }
})
