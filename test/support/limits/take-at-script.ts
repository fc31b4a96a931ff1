import { take } from '../../../src/http/limits/token-bucket-scripts.ts'

/**
 * The service's `take` at instants given as ARGV from the third on, one answer each: tests need to
 * choose the time. The key is kept from expiring, which follows the real clock (it stands still
 * within a script).
 */
export const takeAtScript = `${take}
local answers = {}
for i = 3, #ARGV do
  answers[i - 2] = take(KEYS[1], tonumber(ARGV[i]), tonumber(ARGV[1]), tonumber(ARGV[2]))
end
redis.call('PERSIST', KEYS[1])
return answers`
