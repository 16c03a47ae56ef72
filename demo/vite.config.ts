import { defineConfig, type Plugin } from 'vite'

// Vite's development server injects inline styles and a web socket, so the policy is for the build.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function strictPolicy(): Plugin {
  return {
    name: 'strict-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
        injectTo: 'head-prepend',
      },
    ],
  }
}

// Vite reads its configuration from the default export.
export default defineConfig({
  base: './',
  plugins: [strictPolicy()],
  // The page imports the package by name and gets its built files, which lie beside this folder.
  server: { port: 5173, strictPort: false, fs: { allow: ['..'] } },
  optimizeDeps: { exclude: ['session-query'] },
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
