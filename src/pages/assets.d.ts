declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: what Vite makes of such a file.
  export default classes
}
declare module '*.css'
declare module '*.svg' {
  const address: string
  // biome-ignore lint/style/noDefaultExport: what Vite makes of such a file.
  export default address
}
