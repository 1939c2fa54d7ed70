// Every option of the table through an application's configuration: invalid values at the start, changes at run time. Sockets in a
// temporary folder.
using System.Net;
using System.Net.Sockets;
using Garnet.Hosting;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

[Collection(WholeProcessCollection.Name)]
public sealed class HostedSettingsTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    // The listening endpoints have separate tests; the last two options have only one valid value.
    private static readonly string[] Others = ["port", "tls-port", "bind", "oom-score-adj", "aof-timestamp-enabled"];

    private static readonly string[] Candidates =
    [
        "2",
        "3",
        "no",
        "yes",
        "60 1",
        "0 100 200",
        "best-effort",
        "hostname",
        "50 90",
        "normal 1mb 1kb 10",
        "save",
        "2097152",
        "3000000",
        "1024",
        "other",
        "-1",
        "C",
        "POSIX",
        "KEA",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-settings-").FullName;
    private readonly LogCapture _log = new();

    public static TheoryData<string> Runtime =>
        [
            .. OptionTable
                .All.Where(static option =>
                    option.Mutability == Mutability.Runtime && option is not FixedOption && !Others.Contains(option.Name)
                )
                .Select(static option => option.Name),
        ];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Every_invalid_value_is_reported_with_the_option_and_the_allowed_values()
    {
        string[] wrong = ["", "x y", "-99999999999999999999", "no-such-word", "a/b"];
        int told = 0;
        foreach (OptionDescriptor option in OptionTable.All)
        {
            string? value = Array.Find(
                wrong,
                value => option.TrySet(new GarnetOptions(), option.TakesSeveral ? value.Split(' ') : [value]) is not null
            );
            // Some options accept any text.
            Assert.True(value is not null || option is StringOption or ListOption || option.Group == OptionGroup.Valkey, option.Name);
            if (value is null)
                continue;
            IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection([new($"Garnet:{option.Name}", value)]).Build();
            string message = Assert
                .Throws<OptionException>(() => OptionsBinder.Bind(new GarnetOptions(), configuration.GetSection("Garnet")))
                .Message;
            Assert.StartsWith($"Garnet:{option.Name}", message, StringComparison.Ordinal);
            bool saysItself =
                option is StringOption
                || message.Contains("must be between", StringComparison.Ordinal)
                || message.Contains("must be one of the following", StringComparison.Ordinal)
                || message.Contains("' only", StringComparison.Ordinal);
            Assert.Equal(!saysItself, message.EndsWith($" (allowed: {option.Allowed})", StringComparison.Ordinal));
            Assert.NotEmpty(option.Allowed);
            Assert.DoesNotContain('\n', message);
            told++;
        }

        Assert.True(told > 60, $"{told}");
    }

    [Theory]
    [MemberData(nameof(Runtime))]
    public async Task Whatever_CONFIG_SET_can_change_follows_the_configuration(string name)
    {
        OptionDescriptor option = OptionTable.Find(name)!;
        using IHost host = await StartAsync();
        GarnetServer server = host.Services.GetRequiredService<GarnetServer>();
        GarnetOptions wanted = server.Configuration.Current.Clone();
        string before = option.Format(wanted);
        string? value = Candidates.Concat(option.Allowed.Split('|')).FirstOrDefault(IsOther);
        Assert.True(value is not null, $"No other value for {name} ({option.Allowed})");
        Reload(host, name, value);
        Assert.True(
            SpinWait.SpinUntil(() => option.Format(server.Configuration.Current) == option.Format(wanted), Patience),
            $"{name} {value}: is {option.Format(server.Configuration.Current)}\n{string.Join('\n', _log.Lines)}"
        );
        await host.StopAsync();

        bool IsOther(string candidate)
        {
            GarnetOptions tried = wanted.Clone();
            if (
                option.TrySet(tried, option.TakesSeveral ? candidate.Split(' ') : [candidate]) is not null
                || option.Format(tried) == before
            )
            {
                return false;
            }

            wanted = tried;
            return true;
        }
    }

    [Fact]
    public async Task The_port_follows_the_configuration()
    {
        using IHost host = await StartAsync();
        GarnetServer server = host.Services.GetRequiredService<GarnetServer>();
        using (TcpListener free = new(IPAddress.Loopback, 0))
        {
            free.Start();
            int port = ((IPEndPoint)free.LocalEndpoint).Port;
            Reload(host, "port", $"{port}", ("bind", "127.0.0.1"));
            Assert.True(
                SpinWait.SpinUntil(
                    () =>
                        _log.Lines.Any(static line =>
                            line.StartsWith("Error: The changed settings port, bind were not applied: ", StringComparison.Ordinal)
                        ),
                    Patience
                )
            );
            free.Stop();
            // Nothing has changed since, but rejected values are tried again.
            ((IConfigurationRoot)host.Services.GetRequiredService<IConfiguration>()).Reload();
            Assert.True(
                SpinWait.SpinUntil(() => server.EndPoints.OfType<IPEndPoint>().Any(endpoint => endpoint.Port == port), Patience),
                string.Join('\n', _log.Lines)
            );
        }

        await host.StopAsync();
    }

    [Fact]
    public async Task Options_of_the_command_are_reported_and_the_thread_pool_changes_only_on_request()
    {
        ThreadPool.GetMinThreads(out int min, out int minIO);
        try
        {
            using IHost host = await StartAsync(
                ("logfile", "garnet.log"),
                ("shutdown-on-sigterm", "nosave"),
                ("thread-pool-min-threads", $"{min + 3}")
            );
            Assert.Contains(
                "Warning: The setting logfile has no effect here: the application's logging decides where messages go",
                _log.Lines
            );
            Assert.Contains(
                "Warning: The setting shutdown-on-sigterm has no effect here: the application decides what signals do",
                _log.Lines
            );
            ThreadPool.GetMinThreads(out int now, out int nowIO);
            Assert.Equal((min + 3, minIO), (now, nowIO));
            await host.StopAsync();
        }
        finally
        {
            ThreadPool.SetMinThreads(min, minIO);
        }
    }

    [Fact]
    public async Task Settings_can_come_from_other_services()
    {
        HostApplicationBuilder application = Builder();
        application.Services.AddSingleton(new Version(3, 0));
        application.Services.AddOptions<GarnetOptions>().Configure<Version>(static (options, version) => options.Databases = version.Major);
        using IHost host = application.Build();
        await host.StartAsync();
        Assert.Equal(3, host.Services.GetRequiredService<GarnetServer>().Configuration.Current.Databases);
        await host.StopAsync();
    }

    private static void Reload(IHost host, string name, string value, params (string Name, string Value)[] more)
    {
        var configuration = (IConfigurationRoot)host.Services.GetRequiredService<IConfiguration>();
        foreach ((string each, string its) in more.Append((name, value)))
            configuration[$"Garnet:{each}"] = its;
        configuration.Reload();
    }

    private async Task<IHost> StartAsync(params (string Name, string Value)[] settings)
    {
        IHost host = Builder(settings).Build();
        await host.StartAsync();
        return host;
    }

    private HostApplicationBuilder Builder(params (string Name, string Value)[] settings)
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Logging.AddProvider(_log);
        (string Name, string Value)[] all = [("port", "0"), ("dir", _folder), ("unixsocket", "s"), .. settings];
        application.Configuration.AddInMemoryCollection(
            all.Select(static setting => KeyValuePair.Create($"Garnet:{setting.Name}", (string?)setting.Value))
        );
        application.Services.AddGarnet();
        return application;
    }
}
