// The bucket of core/limits/gcra.ts inside Redis, so that all processes share it and Redis's clock is the
// only one. Both scripts answer one integer: the backlog in microseconds after the decision, negated
// when the token was refused (a bucket without a token has a backlog above 0, so the sign is free).
// Lua numbers are doubles: exact below 2^53, but printed by tostring as 1.79e+15, hence '%.0f'.

const readBacklog = `
local function readBacklog(key, now, interval, capacity)
  local fullAt = tonumber(redis.call('GET', key) or 0)
  local backlog = math.max(0, fullAt - now)
  if backlog > capacity then return capacity - interval end
  return backlog
end`

const peek = `${readBacklog}
local function peek(key, now, interval, capacity)
  local backlog = readBacklog(key, now, interval, capacity)
  if backlog + interval > capacity then return -backlog end
  return backlog
end`

/** The function `take` in Lua: takes a token at `now`, of any origin, and answers the backlog. */
export const take = `${readBacklog}
local function take(key, now, interval, capacity)
  local backlog = readBacklog(key, now, interval, capacity)
  if backlog + interval > capacity then return -backlog end
  backlog = backlog + interval
  local fullAt = string.format('%.0f', now + backlog)
  local expiry = string.format('%.0f', math.ceil(backlog / 1000))
  redis.call('SET', key, fullAt, 'PX', expiry)
  return backlog
end`

const nowByRedis = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]`

/** KEYS: bucket. ARGV: interval and capacity in microseconds. */
export const takeScript = `${take}${nowByRedis}
return take(KEYS[1], now, tonumber(ARGV[1]), tonumber(ARGV[2]))`

/** As `takeScript`, and writes nothing. */
export const peekScript = `${peek}${nowByRedis}
return peek(KEYS[1], now, tonumber(ARGV[1]), tonumber(ARGV[2]))`
