import { Writable } from 'node:stream'
import { setImmediate as nextPass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RedisClient } from '../../src/redis/redis.ts'
import { createWriteTogether } from '../../src/redis/write-together.ts'

function startStream() {
  const writes: string[] = []
  const stream = new Writable({
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
    write(chunk, _encoding, done) {
      writes.push(String(chunk))
      done()
    },
  })
  return { writes, stream }
}

test('commands of one pass of the event loop are sent by one write, and later ones by another', async () => {
  const { writes, stream } = startStream()
  const writeTogether = createWriteTogether({ stream } as unknown as RedisClient)
  for (const command of ['a', 'b', 'c']) {
    writeTogether()
    stream.write(command)
  }
  expect(writes).toEqual([])
  await nextPass()
  writeTogether()
  stream.write('d')
  await nextPass()
  expect(writes).toEqual(['abc', 'd'])
})

test('a stream that replaces another in the same pass is not held', async () => {
  const [old, next] = [startStream(), startStream()]
  const redis = { stream: old.stream }
  const writeTogether = createWriteTogether(redis as unknown as RedisClient)
  writeTogether()
  redis.stream = next.stream
  writeTogether()
  next.stream.write('a')
  expect(next.writes).toEqual(['a'])
  await nextPass()
  writeTogether()
  next.stream.write('b')
  await nextPass()
  expect(next.writes).toEqual(['a', 'b'])
})

test('a client without a connection, and a Cluster, are left alone', () => {
  const { stream } = startStream()
  for (const redis of [{ stream: undefined }, { stream, isCluster: true }]) {
    createWriteTogether(redis as unknown as RedisClient)()
    expect(stream.writableCorked).toBe(0)
  }
})
