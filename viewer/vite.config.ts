import { defineConfig } from 'vite';

// One script and one style sheet, so that they can be compiled into the program and put into an exported page.
export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      output: { entryFileNames: 'viewer.js', assetFileNames: 'viewer.[ext]', inlineDynamicImports: true },
    },
  },
});
