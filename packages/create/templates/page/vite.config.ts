import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// "npm run dev" serves the page while you edit it; "npm start" in another terminal answers its requests.
export default defineConfig({ plugins: [react()], server: { proxy: { '/api': 'http://127.0.0.1:3000' } } })
