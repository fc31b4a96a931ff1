import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHostResolver } from '../../src/providers/webhooks/host-resolver.ts'
import { type DnsZone, startDnsServer } from '../support/servers/dns-server.ts'

const ZONE: DnsZone = {
  'both.test': [{ addresses: ['93.184.216.34', '2606:4700::1111', '93.184.216.35'] }],
  'v6.test': [{ addresses: ['2606:4700::1111'] }],
  'alias.test': [{ alias: 'both.test', addresses: ['93.184.216.34'] }],
  'empty.test': [{}],
  'broken.test': [{ rcode: 2 }],
  'moving.test': [{ addresses: ['93.184.216.34'] }, { addresses: ['93.184.216.35'] }],
  'half.test': [{ addresses: ['93.184.216.34'], only: 'A' }],
  'silent.test': [{ silent: true }],
}

async function startResolver(hostsFile = '/nonexistent') {
  const server = await startDnsServer(ZONE)
  return {
    resolve: createHostResolver({ servers: () => [server.address], hostsFile, timeoutMs: 250 }),
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test('a name has the addresses of both families, through its aliases', async () => {
  await using dns = await startResolver()
  const both = ['2606:4700::1111', '93.184.216.34', '93.184.216.35']
  expect([...(await dns.resolve('both.test'))].sort()).toEqual(both)
  expect([...(await dns.resolve('BOTH.test.'))].sort()).toEqual(both)
  expect(await dns.resolve('v6.test')).toEqual(['2606:4700::1111'])
  expect(await dns.resolve('alias.test')).toEqual(['93.184.216.34'])
})

test('a name that does not exist, or has no address, resolves to none', async () => {
  await using dns = await startResolver()
  expect(await dns.resolve('unknown.test')).toEqual([])
  expect(await dns.resolve('empty.test')).toEqual([])
})

test('a failing name server is an error', async () => {
  await using dns = await startResolver()
  await expect(dns.resolve('broken.test')).rejects.toThrow('ESERVFAIL')
})

test('every lookup queries the name server again', async () => {
  await using dns = await startResolver()
  expect(await dns.resolve('moving.test')).toEqual(['93.184.216.34'])
  expect(await dns.resolve('moving.test')).toEqual(['93.184.216.35'])
})

test('an answer for one family is enough when the other fails', async () => {
  await using dns = await startResolver()
  expect(await dns.resolve('half.test')).toEqual(['93.184.216.34'])
})

test('names with silent servers delay no other name', async () => {
  await using dns = await startResolver()
  const answered: string[] = []
  const silent = Array.from({ length: 20 }, () =>
    dns.resolve('silent.test').catch(() => answered.push('silent.test')),
  )
  await dns.resolve('v6.test').then(() => answered.push('v6.test'))
  expect(answered).toEqual(['v6.test'])
  await Promise.all(silent)
})

test('localhost and the names below it are this machine, without a name server', async () => {
  await using dns = await startResolver()
  for (const name of ['localhost', 'localhost.', 'a.localhost']) {
    expect(await dns.resolve(name)).toEqual(['127.0.0.1', '::1'])
  }
  expect(dns.server.lookups('localhost', 'A')).toBe(0)
})

test('the hosts file is used before the name servers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  const file = join(folder, 'hosts')
  await writeFile(
    file,
    '# comment\n127.0.0.1\tlocalhost\n10.0.0.9 Neighbour.test v6.test # here\nfd00::9 neighbour.test\nnonsense x\n',
  )
  await using dns = await startResolver(file)
  expect(await dns.resolve('neighbour.TEST.')).toEqual(['10.0.0.9', 'fd00::9'])
  expect(await dns.resolve('v6.test')).toEqual(['10.0.0.9'])
  expect(await dns.resolve('localhost')).toEqual(['127.0.0.1'])
  expect(await dns.resolve('x')).toEqual([])
  expect(dns.server.lookups('v6.test', 'AAAA')).toBe(0)
  await rm(folder, { recursive: true })
})

/** A resolver whose name servers and files can be changed. */
async function startMoving() {
  const folder = await mkdtemp(join(tmpdir(), 'names-'))
  const files = { resolvConf: join(folder, 'resolv.conf'), hostsFile: join(folder, 'hosts') }
  const named = { servers: [] as string[] }
  const resolve = createHostResolver({ servers: () => named.servers, timeoutMs: 100, ...files })
  return { resolve, named, ...files, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test.each([
  ['is silent', { 'a.test': [{ silent: true }] }],
  ['fails', { 'a.test': [{ rcode: 2 }] }],
  ['refuses', { 'a.test': [{ rcode: 5 }] }],
])('a name server that %s is left for those that are named by then', async (_what, zone) => {
  await using moving = await startMoving()
  await using before = await startDnsServer(zone)
  await using after = await startDnsServer({ 'a.test': [{ addresses: ['93.184.216.34'] }] })
  moving.named.servers = [before.address]
  await expect(moving.resolve('a.test')).rejects.toThrow()
  moving.named.servers = [after.address]
  expect(await moving.resolve('a.test')).toEqual(['93.184.216.34'])
})

test('a name that does not exist, or has one family alone, changes no name server', async () => {
  await using moving = await startMoving()
  await using before = await startDnsServer({ 'a.test': [{ addresses: ['93.184.216.34'] }] })
  moving.named.servers = [before.address]
  expect(await moving.resolve('unknown.test')).toEqual([])
  moving.named.servers = ['127.0.0.1:9']
  expect(await moving.resolve('a.test')).toEqual(['93.184.216.34'])
})

test('name servers of a changed resolv.conf are used from the next lookup on', async () => {
  await using moving = await startMoving()
  await using before = await startDnsServer({ 'a.test': [{ addresses: ['93.184.216.34'] }] })
  await using after = await startDnsServer({ 'a.test': [{ addresses: ['93.184.216.35'] }] })
  moving.named.servers = [before.address]
  expect(await moving.resolve('a.test')).toEqual(['93.184.216.34'])
  moving.named.servers = [after.address]
  expect(await moving.resolve('a.test')).toEqual(['93.184.216.34'])
  await writeFile(moving.resolvConf, 'nameserver 10.0.0.2\n')
  expect(await moving.resolve('a.test')).toEqual(['93.184.216.35'])
})

test('a changed hosts file counts from the next lookup on, one that is gone too', async () => {
  await using moving = await startMoving()
  await using dns = await startDnsServer({})
  moving.named.servers = [dns.address]
  expect(await moving.resolve('a.test')).toEqual([])
  await writeFile(moving.hostsFile, '10.0.0.9 a.test\n')
  expect(await moving.resolve('a.test')).toEqual(['10.0.0.9'])
  await rename(moving.hostsFile, `${moving.hostsFile}.old`)
  expect(await moving.resolve('a.test')).toEqual([])
})
