// The Windows build as a service (garnet --service) of Wine's service manager, controlled by sc.exe. Each test has a service and a folder.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

// One class after the other: the end of a program's output comes only when the Wine that it has started has ended.
[Collection("Wine")]
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
        string[] settings =
        [
            $"bind {_endPoint.Address}",
            $"port {_endPoint.Port}",
            $"dir {WindowsPath(_folder)}",
            $"logfile {WindowsPath(Log)}",
            "save 3600 1000000",
        ];
        InstallAnd(
            settings,
            () =>
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
        );
    }

    [WindowsBuildFact]
    public void A_service_with_a_wrong_setting_stops_with_an_error() =>
        InstallAnd(
            ["maxmemory much"],
            () =>
            {
                Control("start", _name);
                AwaitStopped(exitCode: 1);
            }
        );

    private string SettingsFile => Path.Combine(_folder, "garnet.conf");

    private string Snapshot => Path.Combine(_folder, "dump.rdb");

    private string Log => Path.Combine(_folder, "garnet.log");

    // The service is removed afterwards.
    private void InstallAnd(string[] settings, Action test)
    {
        File.WriteAllLines(SettingsFile, settings);
        using Process program = KeepWineRunning();
        Control("create", _name, "binPath=", $"{WindowsPath(GarnetProcess.Tool[1])} --service {WindowsPath(SettingsFile)}");
        try
        {
            test();
        }
        finally
        {
            Remove();
            program.StandardInput.Close();
            program.WaitForExit();
        }
    }

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
        RespExchange? client = null;
        if (!SpinWait.SpinUntil(() => (client = TryConnect()) is not null, Patience))
            throw new TimeoutException($"The service does not answer:{Environment.NewLine}{Written()}");
        return client!;
    }

    private RespExchange? TryConnect()
    {
        RespExchange client;
        try
        {
            client = RespExchange.Connect(_endPoint);
        }
        catch (SocketException)
        {
            return null;
        }

        if (client.ExecuteText("PING") == "+PONG\r\n")
            return client;
        client.Dispose();
        return null;
    }

    private string Written() => File.Exists(Log) ? File.ReadAllText(Log) : "(no log)";
}
