// The Windows build as a service (garnet --service) of Wine's service manager, controlled by sc.exe. Each test has a service and a folder.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class WindowsServiceTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-service-").FullName;
    private readonly string _name = $"Garnet{Guid.NewGuid():N}";
    private readonly IPEndPoint _endPoint = new(IPAddress.Loopback, LoopbackPort.Free());

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WindowsBuildFact]
    public void A_service_saves_when_it_is_stopped_and_starts_with_its_data()
    {
        WriteSettings();
        using Process program = KeepWineRunning();
        Control("create", _name, "binPath=", $"{WindowsPath(GarnetProcess.Tool[1])} --service {WindowsPath(SettingsFile)}");
        try
        {
            Control("start", _name);
            using (RespExchange client = Connect())
                Assert.Equal("+OK\r\n", client.ExecuteText("SET", "greeting", "hello"));
            Assert.False(File.Exists(Snapshot));
            Control("stop", _name);
            AwaitStopped(exitCode: 0);
            Assert.True(File.Exists(Snapshot));

            Control("start", _name);
            using (RespExchange client = Connect())
            {
                Assert.Equal("$5\r\nhello\r\n", client.ExecuteText("GET", "greeting"));
                Assert.Equal("+OK\r\n", client.ExecuteText("SET", "greeting", "again"));
                Assert.Null(client.Execute("SHUTDOWN"));
            }

            // The manager learns that a client has ended the service.
            AwaitStopped(exitCode: 0);
            Control("start", _name);
            using (RespExchange client = Connect())
                Assert.Equal("$5\r\nagain\r\n", client.ExecuteText("GET", "greeting"));
        }
        finally
        {
            Remove();
            program.StandardInput.Close();
            program.WaitForExit();
        }
    }

    [WindowsBuildFact]
    public void A_service_with_a_wrong_setting_stops()
    {
        File.WriteAllText(SettingsFile, "maxmemory much\r\n");
        using Process program = KeepWineRunning();
        Control("create", _name, "binPath=", $"{WindowsPath(GarnetProcess.Tool[1])} --service {WindowsPath(SettingsFile)}");
        try
        {
            Control("start", _name);
            AwaitStopped(exitCode: 1);
        }
        finally
        {
            Remove();
            program.StandardInput.Close();
            program.WaitForExit();
        }
    }

    private string SettingsFile => Path.Combine(_folder, "garnet.conf");

    private string Snapshot => Path.Combine(_folder, "dump.rdb");

    private string Log => Path.Combine(_folder, "garnet.log");

    private void WriteSettings() =>
        File.WriteAllLines(
            SettingsFile,
            [
                $"bind {_endPoint.Address}",
                $"port {_endPoint.Port}",
                $"dir {WindowsPath(_folder)}",
                $"logfile {WindowsPath(Log)}",
                "save 3600 1000000",
            ]
        );

    // Wine maps its drive Z to the root of the file system.
    private static string WindowsPath(string path) => "Z:" + path.Replace('/', '\\');

    // Wine ends its services with its last other program. Its own processes keep the output of the program that has started them open, so
    // that no other program may do that: the end of its output would not come.
    private static Process KeepWineRunning()
    {
        Process program = Process.Start(
            new ProcessStartInfo("wine", ["cmd"]) { RedirectStandardInput = true, RedirectStandardOutput = true }
        )!;
        Assert.NotNull(program.StandardOutput.ReadLine());
        return program;
    }

    private static string Control(params string[] arguments)
    {
        var run = ClientProcess.Run("wine", ["sc", .. arguments]);
        Assert.True(run.ExitCode == 0, $"sc {string.Join(' ', arguments)}: exit code {run.ExitCode}: {run.Output}");
        return run.Output;
    }

    private void AwaitStopped(int exitCode)
    {
        string state = "";
        if (!SpinWait.SpinUntil(() => (state = Control("query", _name)).Contains("STOPPED", StringComparison.Ordinal), Patience))
            throw new TimeoutException($"The service did not stop:{Environment.NewLine}{state}{Written()}");
        Assert.Matches($@"WIN32_EXIT_CODE\s+: {exitCode} ", state);
    }

    private void Remove()
    {
        // It runs if the test has failed halfway; otherwise there is nothing to stop.
        if (!Control("query", _name).Contains("STOPPED", StringComparison.Ordinal))
        {
            Control("stop", _name);
            AwaitStopped(exitCode: 0);
        }

        Control("delete", _name);
    }

    private RespExchange Connect()
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            RespExchange? client = null;
            try
            {
                client = RespExchange.Connect(_endPoint);
                if (client.ExecuteText("PING") == "+PONG\r\n")
                    return client;
            }
            catch (Exception e) when (e is SocketException or IOException && Stopwatch.GetElapsedTime(start) < Patience)
            {
                client?.Dispose();
                Thread.Sleep(10);
                continue;
            }

            client.Dispose();
            if (Stopwatch.GetElapsedTime(start) > Patience)
                throw new TimeoutException($"The service does not answer:{Environment.NewLine}{Written()}");
        }
    }

    private string Written() => File.Exists(Log) ? File.ReadAllText(Log) : "(no log)";
}
