import { Cluster, Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { openRedis } from '../../src/redis/redis.ts'
import { readRedisAddress } from '../../src/redis/redis-address.ts'

test.each([
  'redis://localhost',
  'redis://localhost:6379/3',
  'rediss://name:secret@cache.example.com:6380',
  'redis://[::1]:6379',
])('the address %s is one server', (url) => {
  expect(readRedisAddress(url)).toEqual({ kind: 'server', url })
})

test('the address of a Cluster names some of its members', () => {
  expect(readRedisAddress('redis+cluster://a:7001,b:7002,[::1]:7003')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'a', port: 7001 },
      { host: 'b', port: 7002 },
      { host: '::1', port: 7003 },
    ],
    isTls: false,
  })
})

test('a Cluster with one address, TLS, a name and a password is a managed one', () => {
  expect(readRedisAddress('rediss+cluster://svc:p%40ss@clustercfg.example.com')).toEqual({
    kind: 'cluster',
    nodes: [{ host: 'clustercfg.example.com', port: 6379 }],
    isTls: true,
    username: 'svc',
    password: 'p@ss',
  })
})

test.each([
  'http://localhost',
  'localhost:6379',
  'redis://',
  'redis://a:7001,b:7002',
  'redis+cluster://',
  'redis+cluster://a:7001,',
  'redis+cluster://a:7001/1',
  'redis+cluster://a:7001,name:secret@b:7002',
  'redis+cluster://a:port',
])('%s is no address of a Redis', (url) => {
  expect(readRedisAddress(url)).toBeUndefined()
})

test('commands sent once to a server are sent once to a Cluster', () => {
  const options = { lazyConnect: true, autoResendUnfulfilledCommands: false }
  const cluster = openRedis('redis+cluster://a:7001', options)
  expect(cluster).toBeInstanceOf(Cluster)
  expect(cluster.options).toMatchObject({ retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 })
  expect(openRedis('redis://a:7001', options)).toBeInstanceOf(Redis)
})
