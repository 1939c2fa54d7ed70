// Servers in a generic host: settings, several in one process, invalid settings, reload, shutdown. Sockets in a temporary folder.
using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using Garnet.Hosting;
using Garnet.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class HostedServiceTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-hosted-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_server_starts_and_stops_with_the_application_and_reads_its_section()
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Configuration.AddInMemoryCollection(
            new Dictionary<string, string?>
            {
                ["Garnet:Port"] = "0",
                ["Garnet:unixsocket"] = Socket("a"),
                ["Garnet:maxmemory"] = "64mb",
                ["Garnet:IdleTimeout"] = "00:00:09",
                ["Garnet:protected-mode"] = "False",
                ["Garnet:bind:0"] = "127.0.0.1",
                ["Garnet:bind:1"] = "::1",
            }
        );
        application.Services.AddGarnet(options => options.Databases = 3);
        using IHost host = application.Build();
        await host.StartAsync();
        using (RespExchange client = Connect("a"))
        {
            string reply = client.ExecuteText("CONFIG", "GET", "maxmemory", "timeout", "databases", "bind", "protected-mode");
            Assert.Equal(
                "*10\r\n$4\r\nbind\r\n$13\r\n127.0.0.1 ::1\r\n$9\r\ndatabases\r\n$1\r\n3\r\n$9\r\nmaxmemory\r\n$8\r\n67108864\r\n"
                    + "$14\r\nprotected-mode\r\n$2\r\nno\r\n$7\r\ntimeout\r\n$1\r\n9\r\n",
                reply
            );
        }
        await host.StopAsync();
        Assert.Throws<SocketException>(() => Connect("a"));
    }

    [Fact]
    public async Task Servers_in_one_application_have_names_sections_and_keys()
    {
        HostApplicationBuilder application = Host.CreateApplicationBuilder();
        application.Configuration.AddInMemoryCollection(
            new Dictionary<string, string?>
            {
                ["Garnet:databases"] = "2",
                ["Garnet:Servers:sessions:databases"] = "3",
                ["Garnet:Servers:pages:databases"] = "4",
            }
        );
        application.Services.AddGarnet(options => ListenOn(options, "default"));
        application.Services.AddGarnet("sessions", options => ListenOn(options, "sessions"));
        application.Services.AddGarnet("pages", options => ListenOn(options, "pages"));
        application.Services.AddGarnet("pages", options => options.IdleTimeout = TimeSpan.FromSeconds(77));
        using IHost host = application.Build();
        await host.StartAsync();
        Assert.Equal("2 0", Facts(host.Services.GetRequiredService<GarnetServer>(), "default"));
        Assert.Equal("3 0", Facts(host.Services.GetRequiredKeyedService<GarnetServer>("sessions"), "sessions"));
        Assert.Equal("4 77", Facts(host.Services.GetRequiredKeyedService<GarnetServer>("pages"), "pages"));
        Assert.Equal(3, host.Services.GetServices<IHostedService>().Count(service => service is GarnetHostedService));
        foreach (string name in new[] { "default", "sessions", "pages" })
        {
            using RespExchange client = Connect(name);
            Assert.Equal("$-1\r\n", client.ExecuteText("GET", "k"));
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", name));
        }
        await host.StopAsync();

        string Facts(GarnetServer server, string socket)
        {
            Assert.Equal([$"unix:{Socket(socket)}"], server.EndPointTexts);
            Assert.True(server.Ready.IsCompletedSuccessfully && server.IsReady);
            return $"{server.Configuration.Current.Databases} {server.Configuration.Current.TimeoutSeconds}";
        }
    }

    // Each has a folder of its own unless its settings name another; what is no valid name of a folder is escaped.
    [Fact]
    public async Task Servers_in_one_application_do_not_load_each_others_files()
    {
        string[] names = [$"one-{Guid.NewGuid():N}", $"../two/{Guid.NewGuid():N}"];
        string[] folders =
        [
            .. names.Select(static name => Path.GetFullPath("garnet-" + name.Replace("/", "%2F", StringComparison.Ordinal))),
        ];
        try
        {
            for (int start = 0; start < 2; start++)
            {
                HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
                application.Services.AddGarnet(names[0], options => (options.Port, options.UnixSocket) = (0, Socket("one")));
                application.Services.AddGarnet(names[1], options => (options.Port, options.UnixSocket) = (0, Socket("two")));
                application.Services.AddGarnet("three", options => (options.Dir, options.Bind) = (_folder, []));
                using IHost host = application.Build();
                await host.StartAsync();
                foreach (string name in new[] { "one", "two" })
                {
                    using RespExchange client = Connect(name);
                    Assert.Equal($":{start}\r\n", client.ExecuteText("DBSIZE"));
                    Assert.Equal("+OK\r\n", client.ExecuteText("SET", name, "1"));
                    Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
                }

                Assert.Equal(_folder, host.Services.GetRequiredKeyedService<GarnetServer>("three").Configuration.Current.Dir);
                await host.StopAsync();
            }

            Assert.All(folders, static folder => Assert.True(File.Exists(Path.Combine(folder, "dump.rdb"))));
            Assert.False(Directory.Exists("garnet-three"));
        }
        finally
        {
            foreach (string folder in folders.Where(Directory.Exists))
                Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [InlineData("MaxMemoryPolicy", "AllKeysLru", "maxmemory-policy", "allkeys-lru")]
    [InlineData("maxmemory-policy", "allkeys-lru", "maxmemory-policy", "allkeys-lru")]
    [InlineData("AppendFsync", "EverySecond", "appendfsync", "everysec")]
    [InlineData("acl-pubsub-default", "allchannels", "acl-pubsub-default", "allchannels")]
    public async Task A_value_may_be_written_as_in_code(string key, string value, string option, string shown)
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Configuration.AddInMemoryCollection(new Dictionary<string, string?> { ["Garnet:" + key] = value });
        application.Services.AddGarnet(options => ListenOn(options, "a"));
        using IHost host = application.Build();
        await host.StartAsync();
        using RespExchange client = Connect("a");
        Assert.Equal($"*2\r\n${option.Length}\r\n{option}\r\n${shown.Length}\r\n{shown}\r\n", client.ExecuteText("CONFIG", "GET", option));
        await host.StopAsync();
    }

    // A section of a server that the application does not add is a mistake in a name.
    [Fact]
    public async Task A_section_of_no_server_is_told_and_refused_where_that_is_wanted()
    {
        var log = new LogCapture();
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Configuration.AddInMemoryCollection(new Dictionary<string, string?> { ["Garnet:Servers:sesions:databases"] = "3" });
        application.Logging.AddProvider(log);
        application.Services.AddGarnet("sessions", options => ListenOn(options, "a"));
        application.Services.AddGarnet("b", options => (options.Bind, options.Dir) = ([], _folder));
        using (IHost host = application.Build())
        {
            await host.StartAsync();
            await host.StopAsync();
        }

        const string Expected = "Garnet:Servers:sesions has no effect, as the application adds no server of that name; is sessions meant?";
        Assert.Single(log.Lines, static line => line.Contains(Expected, StringComparison.Ordinal));
        HostApplicationBuilder strict = Host.CreateEmptyApplicationBuilder(null);
        strict.Configuration.AddInMemoryCollection(new Dictionary<string, string?> { ["Garnet:Servers:sesions:databases"] = "3" });
        strict.Services.AddGarnet("sessions", options => (options.Strict, options.Bind, options.Dir) = (true, [], _folder));
        using IHost refused = strict.Build();
        OptionsValidationException thrown = await Assert.ThrowsAsync<OptionsValidationException>(() => refused.StartAsync());
        Assert.Contains(Expected, thrown.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "Garnet:maxmemroy",
        "1gb",
        "Garnet:maxmemroy: unknown option; is maxmemory meant? (allowed: the options of garnet --help and the properties of GarnetOptions)"
    )]
    [InlineData(
        "Garnet:foo",
        "1",
        "Garnet:foo: unknown option (allowed: the options of garnet --help and the properties of GarnetOptions)"
    )]
    [InlineData("Garnet:maxmemory", "much", "Garnet:maxmemory much: argument must be a memory value (allowed: a size or a percentage)")]
    [InlineData("Garnet:Port", "70000", "Garnet:Port 70000: argument must be between 0 and 65535 inclusive")]
    [InlineData("Garnet:Servers:b:port", "x", "Garnet:Servers:b:port x: argument couldn't be parsed into an integer (allowed: 0 to 65535)")]
    [InlineData("Garnet:dir", "/no/such/place", "Garnet:dir /no/such/place: No such file or directory")]
    public async Task An_invalid_setting_fails_the_start_with_an_exception_that_names_it(string key, string value, string message)
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Configuration.AddInMemoryCollection(new Dictionary<string, string?> { [key] = value });
        application.Services.AddGarnet(options => ListenOn(options, "a"));
        application.Services.AddGarnet("b", options => ListenOn(options, "b"));
        using IHost host = application.Build();
        OptionsValidationException thrown = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Equal(message, thrown.Message);
        Assert.Throws<SocketException>(() => Connect("a"));
    }

    [Fact]
    public async Task A_server_in_an_application_listens_on_loopback_only_and_logs_its_endpoint()
    {
        using var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        int port = ((IPEndPoint)free.LocalEndpoint).Port;
        free.Stop();
        var log = new LogCapture();
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Logging.AddProvider(log);
        application.Services.AddGarnet("shop", options => (options.Port, options.Dir) = (port, _folder));
        using IHost host = application.Build();
        await host.StartAsync();
        IEnumerable<EndPoint> endPoints = host.Services.GetRequiredKeyedService<GarnetServer>("shop").EndPoints;
        Assert.All(endPoints, static endPoint => Assert.True(IPAddress.IsLoopback(((IPEndPoint)endPoint).Address)));
        Assert.Contains(
            log.Lines,
            line => Regex.IsMatch(line, $@"Garnet \d+\.\d+\.\d+ 'shop' serves on 127\.0\.0\.1:{port}(, \[::1\]:{port})?; 0 keys are loaded")
        );
        await host.StopAsync();
    }

    public static TheoryData<Action<GarnetOptions>, string> WrongValues =>
        new()
        {
            { static options => options.Databases = 0, "databases 0: argument must be between 1 and 128 inclusive" },
            { static options => options.IoThreads = -1, "io-threads -1: argument must be between 0 and 256 inclusive" },
            {
                static options => options.Transport = (TransportKind)9,
                "transport 9: argument(s) must be one of the following: epoll, sockets"
            },
            {
                static options => options.Save = [new SavePoint(0, 1)],
                "save 0 1: Invalid save parameters (allowed: \"\" | seconds changes [seconds changes ...])"
            },
            { static options => options.Password = null!, "requirepass: must not be null" },
            { static options => options.Port = 0, "nothing to listen on: give a port and an address to bind, or a unixsocket" },
        };

    [Theory]
    [MemberData(nameof(WrongValues))]
    public async Task An_invalid_value_from_code_fails_the_start_too(Action<GarnetOptions> configure, string message)
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Services.AddGarnet(configure);
        using IHost host = application.Build();
        Assert.Equal(message, (await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync())).Message);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public async Task An_empty_bind_opens_no_socket(string? configured)
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        if (configured is not null)
            application.Configuration.AddInMemoryCollection([new("Garnet:bind", configured)]);
        application.Services.AddGarnet(options =>
        {
            options.Dir = _folder;
            if (configured is null)
                options.Bind = [];
        });
        application.Services.AddHealthChecks().AddGarnet();
        using IHost host = application.Build();
        await host.StartAsync();
        IGarnet garnet = host.Services.GetRequiredService<IGarnet>();
        Assert.Equal(1, garnet.Increment("n"u8));
        Assert.Empty(host.Services.GetRequiredService<GarnetServer>().EndPoints);
        HealthReport health = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal((HealthStatus.Healthy, 2), (health.Status, health.Entries.Count));
        await host.StopAsync();
        Assert.Throws<InvalidOperationException>(() => garnet.Exists("n"u8));
    }

    [Fact]
    public async Task A_port_in_use_is_reported_as_by_the_command()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        string port = $"{((IPEndPoint)taken.LocalEndpoint).Port}";
        await AssertStartFailsAsCommandAsync<EndPointException>(["--bind", "127.0.0.1", "--port", port]);
    }

    [Fact]
    public async Task An_unwritable_folder_is_reported_as_by_the_command()
    {
        // No user can create files there, not even root.
        if (OperatingSystem.IsLinux())
        {
            await AssertStartFailsAsCommandAsync<OptionException>([
                "--port",
                "0",
                "--unixsocket",
                Socket("a"),
                "--dir",
                "/sys",
                "--save",
                "60 1",
            ]);
        }
    }

    [Fact]
    public async Task A_damaged_file_is_reported_as_by_the_command_and_leaves_nothing_open()
    {
        await File.WriteAllBytesAsync(Path.Combine(_folder, "dump.rdb"), "REDIS0010 and then something else"u8.ToArray());
        await AssertStartFailsAsCommandAsync<DataLoadException>(["--port", "0", "--unixsocket", Socket("a"), "--dir", _folder]);
        Assert.Throws<SocketException>(() => Connect("a"));
    }

    [Fact]
    public async Task Settings_that_may_change_take_effect_when_the_configuration_is_reloaded()
    {
        using var log = new LogCapture();
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Logging.AddProvider(log);
        application.Configuration.AddInMemoryCollection(
            new Dictionary<string, string?> { ["Garnet:timeout"] = "5", ["Garnet:save"] = "3600 1000" }
        );
        application.Services.AddGarnet(options => ListenOn(options, "a"));
        using IHost host = application.Build();
        await host.StartAsync();
        using RespExchange client = Connect("a");
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "maxmemory", "64mb"));

        Reload(host, "Garnet:timeout", "6");
        Assert.Equal(
            "*4\r\n$9\r\nmaxmemory\r\n$8\r\n67108864\r\n$7\r\ntimeout\r\n$1\r\n6\r\n",
            client.ExecuteText("CONFIG", "GET", "timeout", "maxmemory")
        );
        Assert.Contains("Information: Changed settings applied: timeout", log.Lines);

        Reload(host, "Garnet:timeout", "soon");
        Assert.Contains(
            "Error: The changed settings were not applied: Garnet:timeout soon: argument couldn't be parsed into an integer (allowed: 0 to 2147483647)",
            log.Lines
        );
        Assert.Equal("*2\r\n$7\r\ntimeout\r\n$1\r\n6\r\n", client.ExecuteText("CONFIG", "GET", "timeout"));

        Reload(host, "Garnet:timeout", "7", ("Garnet:databases", "3"), ("Garnet:save", ""));
        Assert.Contains("Warning: The setting databases has changed; it takes effect at the next start", log.Lines);
        Assert.Equal(
            "*6\r\n$9\r\ndatabases\r\n$2\r\n16\r\n$4\r\nsave\r\n$0\r\n\r\n$7\r\ntimeout\r\n$1\r\n7\r\n",
            client.ExecuteText("CONFIG", "GET", "timeout", "databases", "save")
        );
        await host.StopAsync();
    }

    [Fact]
    public async Task Shutdown_saves_even_if_a_client_reads_none_of_its_replies()
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Patience);
        application.Services.AddGarnet(options =>
        {
            ListenOn(options, "a");
            options.Save = [new SavePoint(3600, 1_000_000)];
        });
        using (IHost host = application.Build())
        {
            await host.StartAsync();
            using RespExchange client = Connect("a");
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", new string('x', 1 << 20)));
            client.Send(System.Text.Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("GET k\r\n", 64))));
            await host.StopAsync().WaitAsync(Patience);
        }

        using var again = TestServer.Start(options => options.Dir = _folder);
        using RespExchange reader = again.Connect();
        Assert.Equal(":1048576\r\n", reader.ExecuteText("STRLEN", "k"));
    }

    [Fact]
    public async Task A_shutdown_that_times_out_still_stops()
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Services.AddGarnet(options =>
        {
            ListenOn(options, "a");
            options.Save = [new SavePoint(3600, 1_000_000)];
        });
        using IHost host = application.Build();
        await host.StartAsync();
        using RespExchange client = Connect("a");
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
        using var over = new CancellationTokenSource();
        await over.CancelAsync();
        await host.StopAsync(over.Token).WaitAsync(Patience);
        Assert.Throws<SocketException>(() => Connect("a"));
    }

    [Fact]
    public async Task SHUTDOWN_stops_the_application()
    {
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Services.AddGarnet(options => ListenOn(options, "a"));
        using IHost host = application.Build();
        await host.StartAsync();
        var stopping = new TaskCompletionSource();
        host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.Register(stopping.SetResult);
        using RespExchange client = Connect("a");
        Task<byte[]?> answer = Task.Run(() => client.Execute("SHUTDOWN"));
        await stopping.Task.WaitAsync(Patience);
        await host.StopAsync().WaitAsync(Patience);
        Assert.Null(await answer.WaitAsync(Patience));
    }

    // The text after "garnet: " is the exception's message.
    private async Task AssertStartFailsAsCommandAsync<TException>(string[] arguments)
        where TException : Exception
    {
        ClientProcess run = GarnetProcess.Run(arguments);
        Assert.Equal(1, run.ExitCode);
        HostApplicationBuilder application = Host.CreateEmptyApplicationBuilder(null);
        application.Configuration.AddInMemoryCollection(
            arguments.Chunk(2).ToDictionary(static pair => $"Garnet:{pair[0][2..]}", static pair => (string?)pair[1])
        );
        application.Services.AddGarnet();
        using IHost host = application.Build();
        TException thrown = await Assert.ThrowsAsync<TException>(() => host.StartAsync());
        Assert.Contains($"garnet: {thrown.Message}", run.Output.Split('\n').Select(static line => line.TrimEnd()));
        // The command prints the exception's message as one line.
        Assert.DoesNotContain('\n', thrown.Message);
        GarnetServer server = host.Services.GetRequiredService<GarnetServer>();
        Assert.False(server.IsReady);
        Assert.Same(thrown, server.Ready.Exception!.InnerException);
    }

    private static void Reload(IHost host, string key, string value, params (string Key, string Value)[] more)
    {
        var configuration = (IConfigurationRoot)host.Services.GetRequiredService<IConfiguration>();
        configuration[key] = value;
        foreach ((string also, string its) in more)
            configuration[also] = its;
        configuration.Reload();
    }

    private void ListenOn(GarnetOptions options, string socket) => (options.Port, options.Dir, options.UnixSocket) = (0, _folder, socket);

    private string Socket(string name) => Path.Combine(_folder, name);

    private RespExchange Connect(string socket) => RespExchange.Connect(new UnixDomainSocketEndPoint(Socket(socket)));
}
