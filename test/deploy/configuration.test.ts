import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { configuredNames, readText } from './read-text.ts'

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
  expect(configuredNames().length).toBeGreaterThan(20)
  expect([...example.keys()].sort()).toEqual(configuredNames().sort())
})

test('.env.example is a configuration that can be run', () => {
  expect(() => loadConfig(exampleEnvironment((setting) => !setting.isDefault))).not.toThrow()
})

test('what .env.example shows as defaults are the defaults', () => {
  const required = loadConfig(exampleEnvironment((setting) => !setting.isDefault))
  expect(loadConfig(exampleEnvironment(() => true))).toEqual(required)
})

test('the README tells every variable with its default', () => {
  const rows = readText('README.md').matchAll(/^\| `([A-Z][A-Z_]+)` \|([^|]*)\|/gm)
  const told = new Map([...rows].map(([, name = '', value = '']) => [name, value.trim()]))
  expect([...told.keys()].sort()).toEqual(configuredNames().sort())
  for (const [name, { value, isDefault }] of example) {
    // Defaults that depend on another setting are told in words.
    if (!isDefault || !/^(`[^`]*`)?$/.test(told.get(name) ?? '')) continue
    expect({ name, value: (told.get(name) ?? '').replaceAll('`', '') }).toEqual({ name, value })
  }
})
