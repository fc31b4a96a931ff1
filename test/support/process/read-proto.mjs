// Says what comes of reaching for an object's prototype through `__proto__`.
try {
  const name = '__proto__'
  console.log({}[name] === Object.prototype ? 'open' : 'shut')
} catch (error) {
  console.log(error.code)
}
