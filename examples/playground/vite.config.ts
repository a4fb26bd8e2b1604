import { defineConfig } from 'vite'

export default defineConfig({
  base: './',
  oxc: { jsx: { importSource: 'preact', runtime: 'automatic' } },
  worker: { format: 'es' },
  build: { target: 'es2022', emptyOutDir: true },
})
