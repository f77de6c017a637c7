const x: number = 1;
console.log(process.version, x);
