// The command `garnet`: arguments, then options, then a host, then run. The main thread waits; everything else has its own.
using Garnet;
using Garnet.Hosting;
using Garnet.Hosting.Logging;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Startup;
using Garnet.Tool;

if (Verbs.TryRun(args) is { } verb)
    return await verb;
args = Verbs.ServerArguments(args);
if (args is not ["--service", .. var rest])
    return await RunAsync(args, null);
if (OperatingSystem.IsWindows())
    return WindowsService.Run(service => RunAsync(rest, service));
Console.Error.WriteLine("garnet: --service is for Windows; elsewhere see deploy/garnet.service");
return 1;

static async Task<int> RunAsync(string[] args, WindowsService? service)
{
    try
    {
        if (args is ["--help" or "-h" or "help", ..])
            return Print(HelpText.Build(args[1..]));
        if (args is ["--version" or "-v"])
            return Print(VersionText.Line + Environment.NewLine);

        if (args is ["--lua", .. var scripts])
            return new LuaCommand(Console.Out).Run(scripts);

        bool checks = args is ["--check", ..];
        PingCommand? ping = args is ["--ping", ..] ? new PingCommand(args[1..]) : null;
        CommandLineArguments arguments = ping is null
            ? CommandLineArguments.Parse(checks ? args[1..] : args)
            : CommandLineArguments.Parse(args[1..], PingOptions.CertificateOption, PingOptions.KeyOption);
        var options = new GarnetOptions();
        var reader = new OptionReader(options);
        if (arguments.FilePath is { } file)
            reader.ReadFile(file);
        if (arguments.ReadsInput)
            reader.ReadText(Console.In, "standard input");
        reader.ReadEnvironment(Environment.GetEnvironmentVariables());
        arguments.Apply(reader);
        reader.Finish();
        if (checks)
            return new DataCheck(options, Console.Out).Run() ? 0 : 1;
        if (ping is not null)
            return await ping.RunAsync(options);
        ThreadPoolSettings.Apply(options);

        using var loggers = new ServerLoggerFactory(options, TimeProvider.System);
        reader.LogWarnings(loggers.CreateLogger("Garnet"));
        await using GarnetServer server = new GarnetServerBuilder
        {
            OwnsProcess = true,
            Options = options,
            ConfigurationFile = arguments.FilePath,
            LoggerFactory = loggers,
        }.Build();
        loggers.Follow(server.Configuration, () => server.Resp.Replication.IsReplica);
        using var process = new ServerProcess(server, loggers, OperatingSystem.IsWindows() && service is not null ? service.StopBy : null);
        return await process.RunAsync();
    }
    catch (Exception e) when (e is OptionException or EndPointException or AppendOnlyLogException or DataLoadException)
    {
        // The person at the keyboard can mend these; a stack trace would hide the one line that says how.
        Console.Error.WriteLine($"garnet: {e.Message}");
        if (OperatingSystem.IsWindows())
            service?.Report(e.Message);
        return 1;
    }
}

static int Print(string text)
{
    Console.Write(text);
    return 0;
}
