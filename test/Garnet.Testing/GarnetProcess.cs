// The built command line tool as a child process. One owner; disposed by it.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Garnet.Testing;

/// <summary>Runs `garnet` on a Unix socket in a folder of its own; killed on disposal.</summary>
public sealed class GarnetProcess : IDisposable
{
    private const int KilledExitCode = 128 + 9; // as the runtime tells the end by a signal

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(30);

    private readonly Process _process;
    private readonly StringBuilder _output = new();

    private readonly bool _keepsFolder;

    private GarnetProcess(
        string folder,
        bool keepsFolder,
        IEnumerable<string> program,
        IEnumerable<string> arguments,
        IEnumerable<KeyValuePair<string, string>>? environment = null
    )
    {
        _keepsFolder = keepsFolder;
        Folder = folder;
        string socket = Path.Combine(folder, "s");
        EndPoint = new UnixDomainSocketEndPoint(socket);
        string[] options = [.. arguments];
        string[] data = options.Contains("--dir") ? [] : ["--dir", folder];
        var start = new ProcessStartInfo(Dotnet, [.. program, "--port", "0", "--unixsocket", socket, .. data, .. options])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        foreach ((string name, string value) in environment ?? [])
            start.Environment[name] = value;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += Collect;
        _process.ErrorDataReceived += Collect;
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>
    /// The tool as published, where GARNET_PUBLISHED names the folder (it starts in half the time); else as built beside the running tests.
    /// </summary>
    public static string ToolPath { get; } = Published("GARNET_PUBLISHED", "garnet.dll") ?? Built("src", "GarnetServer", "garnet.dll");

    private static string CrashTargetPath { get; } =
        Published("GARNET_CRASH_TARGET", "crash-target.dll") ?? Built("test", "Garnet.CrashTarget", "crash-target.dll");

    private static string Configuration =>
        AppContext.BaseDirectory.Contains($"{Path.DirectorySeparatorChar}Release{Path.DirectorySeparatorChar}", StringComparison.Ordinal)
            ? "Release"
            : "Debug";

    /// <summary>Runs the tool to its end, for arguments with which it does not serve.</summary>
    public static ClientProcess Run(params string[] arguments) => ClientProcess.Run(Dotnet, [ToolPath, .. arguments]);

    /// <summary>Where it listens.</summary>
    public EndPoint EndPoint { get; }

    /// <summary>Its working folder, removed on disposal.</summary>
    public string Folder { get; }

    /// <summary>The operating system's number of the process.</summary>
    public int Id => _process.Id;

    /// <summary>Whether it was ended by SIGKILL. May be asked after its disposal.</summary>
    public bool HasBeenKilled { get; private set; }

    /// <summary>What it has printed so far.</summary>
    public string Output
    {
        get
        {
            lock (_output)
                return _output.ToString();
        }
    }

    private static string? Published(string variable, string file) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } folder ? Path.Combine(folder, file) : null;

    private static string Built(string top, string project, string file) =>
        RepositoryRoot.Combine(top, project, "bin", Configuration, "net10.0", file);

    private static string Dotnet => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";

    /// <summary>Starts the tool and waits until it answers.</summary>
    public static GarnetProcess Start(params string[] arguments) =>
        Await(new GarnetProcess(Directory.CreateTempSubdirectory("garnet-tool-").FullName, keepsFolder: false, [ToolPath], arguments));

    /// <summary>As <see cref="Start"/>, in a folder that is there already and stays.</summary>
    public static GarnetProcess StartIn(string folder, params string[] arguments)
    {
        File.Delete(Path.Combine(folder, "s"));
        return Await(new GarnetProcess(folder, keepsFolder: true, [ToolPath], arguments));
    }

    /// <summary>
    /// As <see cref="StartIn"/>, of a server that ends itself at a step of its saving; null when that was already a step of its start.
    /// </summary>
    /// <param name="folder">The folder.</param>
    /// <param name="step">The step's name; empty for none.</param>
    /// <param name="cutsPower">Whether the end is a cut of power instead of a kill.</param>
    /// <param name="seed">What a cut of power leaves follows from it.</param>
    /// <param name="arguments">Further options.</param>
    public static GarnetProcess? StartCrashing(string folder, string step, bool cutsPower, int seed, params string[] arguments)
    {
        File.Delete(Path.Combine(folder, "s"));
        string[] program =
        [
            CrashTargetPath,
            step,
            cutsPower ? "power" : "kill",
            seed.ToString(System.Globalization.CultureInfo.InvariantCulture),
        ];
        var process = new GarnetProcess(folder, keepsFolder: true, program, arguments);
        try
        {
            return Await(process);
        }
        catch (InvalidOperationException) when (process.HasBeenKilled)
        {
            return null;
        }
    }

    /// <summary>As <see cref="StartIn(string, string[])"/>, with variables of its own.</summary>
    public static GarnetProcess StartIn(string folder, IEnumerable<KeyValuePair<string, string>> environment, params string[] arguments)
    {
        File.Delete(Path.Combine(folder, "s"));
        return Await(new GarnetProcess(folder, keepsFolder: true, [ToolPath], arguments, environment));
    }

    private static GarnetProcess Await(GarnetProcess process)
    {
        try
        {
            process.WaitForPong();
            return process;
        }
        catch
        {
            process.Dispose();
            throw;
        }
    }

    /// <summary>Opens a raw connection.</summary>
    public RespExchange Connect() => RespExchange.Connect(EndPoint);

    /// <summary>Sends a signal by its name, such as TERM.</summary>
    public void Signal(string name)
    {
        var kill = ClientProcess.Run("/bin/sh", ["-c", $"kill -{name} {Id}"]);
        if (kill.ExitCode != 0)
            throw new InvalidOperationException(kill.Output);
    }

    /// <summary>Ends the process at once, as kill -9 does.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Waits for the process's end.</summary>
    /// <returns>Its exit code.</returns>
    public int WaitForExit(TimeSpan timeout)
    {
        if (!_process.WaitForExit(timeout))
            throw new TimeoutException($"The tool did not end within {timeout.TotalSeconds} s.{Environment.NewLine}{Output}");
        // Once more without a limit: only this waits for the output's end.
        _process.WaitForExit();
        return _process.ExitCode;
    }

    /// <summary>Kills the process if it still runs, and removes its folder.</summary>
    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.WaitForExit();
        HasBeenKilled = _process.ExitCode == KilledExitCode;
        _process.Dispose();
        if (!_keepsFolder)
            Directory.Delete(Folder, recursive: true);
    }

    private void Collect(object sender, DataReceivedEventArgs line)
    {
        lock (_output)
            _output.AppendLine(line.Data);
    }

    private void WaitForPong()
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            if (_process.HasExited)
            {
                throw new InvalidOperationException(
                    $"The tool ended at once with exit code {_process.ExitCode}.{Environment.NewLine}{Output}"
                );
            }

            try
            {
                using RespExchange exchange = Connect();
                if (exchange.ExecuteText("PING") is "+PONG\r\n" or "-NOAUTH Authentication required.\r\n")
                    return;
            }
            catch (Exception e) when (e is SocketException or IOException && Stopwatch.GetElapsedTime(start) < StartTimeout)
            {
                Thread.Sleep(10);
            }
        }
    }
}
