// A server that ends itself at a step of its saving, like kill -9 or a power failure, or whose disk stops responding there. Run by tests as
// a child process. crash-target <step, empty for none> <kill|power|stall> <seed> --option value ...
using Garnet;
using Garnet.CrashTarget;
using Garnet.Hosting.Logging;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Configuration;
using Garnet.Server.Startup;
using Garnet.Tool;
using Microsoft.Extensions.Logging.Abstractions;

var options = new GarnetOptions();
var reader = new OptionReader(options);
for (int i = 3; i + 1 < args.Length; i += 2)
    reader.Set(args[i], OptionTable.Find(args[i][2..])!, [args[i + 1]]);
reader.Finish();

var random = new Random(int.Parse(args[2], System.Globalization.CultureInfo.InvariantCulture));
var watch = new StepWatch(options.Dir, Path.Combine(options.Dir, options.AppendDirName), args[0]);
LossyDevice? device = args[1] == "power" ? new LossyDevice(random) : null;
bool stalls = args[1] == "stall";
watch.Ending =
    stalls ? Stall
    : device is null ? null
    : device.CutPower;
using var loggers = new ServerLoggerFactory(options, TimeProvider.System);
await using GarnetServer server = new GarnetServerBuilder
{
    Options = options,
    LoggerFactory = stalls ? loggers : NullLoggerFactory.Instance,
    Disk = new WatchedDisk(SystemDisk.Instance, watch, device),
    LogFolders = path => new WatchedLogFolder(new LogFolder(path), watch, device),
    TierDevice = files => new WatchedTier(files, watch),
}.Build();
if (stalls)
{
    using var process = new ServerProcess(server, loggers);
    return await process.RunAsync();
}

await server.StartAsync();
await Task.Delay(Timeout.Infinite);
return 0;

static void Stall()
{
    Console.WriteLine("The disk stalls");
    Thread.Sleep(Timeout.Infinite);
}
