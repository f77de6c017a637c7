// The library as one file, which has no types of its own.
declare module "echarts/dist/echarts.esm.mjs" {
  export * from "echarts";
}
