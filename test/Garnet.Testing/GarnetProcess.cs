// The `garnet` command as a child process. One owner, which disposes of it.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Garnet.Testing;

/// <summary>Runs `garnet` in a temporary folder, on a Unix socket, or under Wine on a port; killed on disposal.</summary>
internal sealed class GarnetProcess : IDisposable
{
    private const int KilledExitCode = 128 + 9; // how the runtime reports the end by a signal

    private static readonly TimeSpan StartTimeout = TimeSpan.FromMinutes(2);

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
        EndPoint = IsWindowsBuild
            ? new IPEndPoint(IPAddress.Loopback, LoopbackPort.Free())
            : new UnixDomainSocketEndPoint(Path.Combine(folder, "s"));
        string[] options = [.. arguments];
        string[] data = options.Contains("--dir") ? [] : ["--dir", folder];
        // A script that runs the tests in the background has SIGINT ignored, which children inherit.
        string[] command = OperatingSystem.IsLinux() ? ["/usr/bin/env", "--default-signal=INT", .. program] : [.. program];
        var start = new ProcessStartInfo(command[0], [.. command[1..], .. Listen(EndPoint), .. data, .. options])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        // It lives for seconds: profiling its code would pay off for none of it.
        start.Environment["DOTNET_TieredPGO"] = "0";
        foreach ((string name, string value) in environment ?? [])
            start.Environment[name] = value;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += Collect;
        _process.ErrorDataReceived += Collect;
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Whether the tests run the Windows build, under Wine, from the folder that GARNET_WINDOWS names.</summary>
    public static bool IsWindowsBuild => WindowsPath is not null;

    /// <summary>
    /// The command that starts the Windows build if GARNET_WINDOWS names its folder, the native one if GARNET_NATIVE does, the published
    /// one if GARNET_PUBLISHED does, otherwise the one built beside the running tests.
    /// </summary>
    public static IReadOnlyList<string> Tool { get; } =
        WindowsPath is { } windows ? ["wine", windows]
        : Published("GARNET_NATIVE", "garnet") is { } native ? [native]
        : ManagedTool;

    private static string? WindowsPath => Published("GARNET_WINDOWS", "garnet.exe");

    private static string CrashTargetPath { get; } =
        Published("GARNET_CRASH_TARGET", "crash-target.dll") ?? Built("test", "Garnet.CrashTarget", "crash-target.dll");

    /// <summary>Whether the tests, and what they run, were built as a release.</summary>
    public static bool IsRelease =>
        AppContext.BaseDirectory.Contains($"{Path.DirectorySeparatorChar}Release{Path.DirectorySeparatorChar}", StringComparison.Ordinal);

    private static string Configuration => IsRelease ? "Release" : "Debug";

    /// <summary>Runs the tool to completion, for arguments with which it does not serve clients.</summary>
    public static ClientProcess Run(params string[] arguments) => ClientProcess.Run(Tool[0], [.. Tool.Skip(1), .. arguments]);

    /// <summary>The endpoint it listens on.</summary>
    public EndPoint EndPoint { get; }

    /// <summary>Its working folder, removed on disposal.</summary>
    public string Folder { get; }

    /// <summary>The process ID.</summary>
    public int Id => _process.Id;

    /// <summary>Whether it was ended by SIGKILL. Valid after disposal too.</summary>
    public bool HasBeenKilled { get; private set; }

    /// <summary>Whether it no longer runs.</summary>
    public bool HasEnded => _process.HasExited;

    /// <summary>Its output so far.</summary>
    public string Output
    {
        get
        {
            lock (_output)
                return _output.ToString();
        }
    }

    private static string[] ManagedTool =>
        [Dotnet, Published("GARNET_PUBLISHED", "garnet.dll") ?? Built("src", "GarnetServer", "garnet.dll")];

    private static string? Published(string variable, string file) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } folder ? Path.Combine(folder, file) : null;

    private static string Built(string top, string project, string file) =>
        RepositoryRoot.Combine(top, project, "bin", Configuration, "net10.0", file);

    private static string Dotnet => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";

    /// <summary>Starts the tool and waits until it answers.</summary>
    public static GarnetProcess Start(params string[] arguments) =>
        Await(new GarnetProcess(Directory.CreateTempSubdirectory("garnet-tool-").FullName, keepsFolder: false, Tool, arguments));

    /// <summary>As <see cref="Start"/>, never of the native build, which cannot load modules.</summary>
    public static GarnetProcess StartManaged(params string[] arguments) =>
        Await(new GarnetProcess(Directory.CreateTempSubdirectory("garnet-tool-").FullName, keepsFolder: false, ManagedTool, arguments));

    /// <summary>As <see cref="Start"/>, in an existing folder that is not removed.</summary>
    public static GarnetProcess StartIn(string folder, params string[] arguments)
    {
        File.Delete(Path.Combine(folder, "s"));
        return Await(new GarnetProcess(folder, keepsFolder: true, Tool, arguments));
    }

    /// <summary>
    /// As <see cref="StartIn"/>, for a server that ends itself at a step of its saving; null if that happened during its start.
    /// </summary>
    /// <param name="folder">The folder.</param>
    /// <param name="step">The step's name; empty for none.</param>
    /// <param name="cutsPower">Simulates a power failure instead of a kill.</param>
    /// <param name="seed">Determines what a power failure leaves on the disk.</param>
    /// <param name="arguments">Further options.</param>
    public static GarnetProcess? StartCrashing(string folder, string step, bool cutsPower, int seed, params string[] arguments)
    {
        File.Delete(Path.Combine(folder, "s"));
        string[] program = [Dotnet, CrashTargetPath, step, cutsPower ? "power" : "kill", seed.ToString(CultureInfo.InvariantCulture)];
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

    /// <summary>As <see cref="Start"/>, for a server whose disk stops responding at a step of its saving.</summary>
    /// <param name="step">The step's name; it counts as soon as there is a file <c>armed</c> in the folder.</param>
    /// <param name="arguments">Further options.</param>
    public static GarnetProcess StartStalling(string step, params string[] arguments)
    {
        string folder = Directory.CreateTempSubdirectory("garnet-stall-").FullName;
        return Await(new GarnetProcess(folder, keepsFolder: false, [Dotnet, CrashTargetPath, step, "stall", "0"], arguments));
    }

    /// <summary>As <see cref="StartIn(string, string[])"/>, with environment variables.</summary>
    public static GarnetProcess StartIn(string folder, IEnumerable<KeyValuePair<string, string>> environment, params string[] arguments)
    {
        File.Delete(Path.Combine(folder, "s"));
        return Await(new GarnetProcess(folder, keepsFolder: true, Tool, arguments, environment));
    }

    /// <summary>As the other overload, never of the native build.</summary>
    public static GarnetProcess StartManagedIn(
        string folder,
        IEnumerable<KeyValuePair<string, string>> environment,
        params string[] arguments
    )
    {
        File.Delete(Path.Combine(folder, "s"));
        return Await(new GarnetProcess(folder, keepsFolder: true, ManagedTool, arguments, environment));
    }

    /// <summary>As the other overloads, of the build that is given.</summary>
    public static GarnetProcess StartProgramIn(
        string folder,
        IEnumerable<string> program,
        IEnumerable<KeyValuePair<string, string>> environment,
        params string[] arguments
    )
    {
        File.Delete(Path.Combine(folder, "s"));
        return Await(new GarnetProcess(folder, keepsFolder: true, program, arguments, environment));
    }

    // Wine has no Unix sockets.
    private static string[] Listen(EndPoint endPoint) =>
        endPoint is IPEndPoint ip
            ? ["--bind", ip.Address.ToString(), "--port", ip.Port.ToString(CultureInfo.InvariantCulture)]
            : ["--port", "0", "--unixsocket", ((UnixDomainSocketEndPoint)endPoint).ToString()];

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

    /// <summary>Kills the process, like kill -9.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Waits until the process exits.</summary>
    /// <returns>Its exit code.</returns>
    public int WaitForExit(TimeSpan timeout)
    {
        if (!_process.WaitForExit(timeout))
            throw new TimeoutException($"The tool did not end within {timeout.TotalSeconds} s.{Environment.NewLine}{Output}");
        // Only the overload without a timeout waits until all output has been read.
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
