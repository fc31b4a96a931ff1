// The bucket of core/limits/gcra.ts in Redis, shared by all processes on Redis's clock. Both
// scripts return one integer: the backlog in microseconds, negative when the token was refused. Lua
// prints large doubles as 1.79e+15, so they are formatted with '%.0f'.

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

/** The Lua function `take`: takes a token at `now` and returns the backlog. */
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

/** Like `takeScript`, but read-only. */
export const peekScript = `${peek}${nowByRedis}
return peek(KEYS[1], now, tonumber(ARGV[1]), tonumber(ARGV[2]))`
