// A server that ends itself at a step of its saving, as kill -9 or a cut of power would. Run by tests as a child process.
// crash-target <step, empty for none> <kill|power> <seed> --option value ...
using Garnet.CrashTarget;
using Garnet.Hosting;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Configuration;

var options = new GarnetOptions();
var reader = new OptionReader(options);
for (int i = 3; i + 1 < args.Length; i += 2)
    reader.Set(args[i], OptionTable.Find(args[i][2..])!, [args[i + 1]]);
reader.Finish();

var random = new Random(int.Parse(args[2], System.Globalization.CultureInfo.InvariantCulture));
var watch = new StepWatch(options.Dir, Path.Combine(options.Dir, options.AppendDirName), args[0]);
LossyDevice? device = args[1] == "power" ? new LossyDevice(random) : null;
watch.Ending = device is null ? null : device.CutPower;
await using GarnetServer server = new GarnetServerBuilder
{
    Options = options,
    Disk = new WatchedDisk(SystemDisk.Instance, watch, device),
    LogFolders = path => new WatchedLogFolder(new LogFolder(path), watch, device),
}.Build();
await server.StartAsync();
await Task.Delay(Timeout.Infinite);
