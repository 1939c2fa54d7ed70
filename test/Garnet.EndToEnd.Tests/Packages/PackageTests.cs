// The packages as users get them: their contents, the installed tool, an application built from them. Temporary folders.
using System.Diagnostics;
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Xml.Linq;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

[Collection(PackagesCollection.Name)]
public sealed class PackageTests(PackedPackages packages)
{
    private const string Prefix = "GarnetCache";
    private const long MaxToolBytes = 24_000_000;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    // The file names in the other server of this name (its tool, version 2.2), in lower case.
    private static readonly string[] TakenNames =
    [
        "garnet.client.dll",
        "garnet.cluster.dll",
        "garnet.common.dll",
        "garnet.diagnostics.dll",
        "garnet.host.dll",
        "garnet.resources.dll",
        "garnet.server.dll",
        "garnet.worker.dll",
        "garnetjson.dll",
        "garnetserver.dll",
        "tsavorite.core.dll",
        "native_device.dll",
    ];

    [Fact]
    public void Every_package_has_readme_icon_licence_and_every_library_its_symbols_and_documentation()
    {
        string[] files = Packages("*.nupkg");
        Assert.Equal(5 + LibraryFolders.Packages.Count, files.Length);
        foreach (string file in files)
        {
            using ZipArchive package = ZipFile.OpenRead(file);
            string[] entries = [.. package.Entries.Select(static entry => entry.FullName)];
            Assert.Contains("README.md", entries);
            Assert.Contains("icon.png", entries);
            XElement about = XDocument
                .Load(package.Entries.Single(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open())
                .Root!.Elements()
                .First();
            Assert.Equal("MIT", Value("license"));
            Assert.Equal("README.md", Value("readme"));
            Assert.Equal("icon.png", Value("icon"));
            Assert.StartsWith($"{Prefix}.", Value("id"), StringComparison.Ordinal);
            if (Value("id").StartsWith($"{Prefix}.Tool", StringComparison.Ordinal) || Value("id") == $"{Prefix}.Templates")
                continue;
            Assert.Contains($"lib/net10.0/{Value("id")}.dll", entries);
            Assert.Contains($"lib/net10.0/{Value("id")}.xml", entries);
            using ZipArchive symbols = ZipFile.OpenRead(Path.ChangeExtension(file, ".snupkg"));
            Assert.Contains($"lib/net10.0/{Value("id")}.pdb", symbols.Entries.Select(static entry => entry.FullName));

            string Value(string element) => about.Elements().Single(each => each.Name.LocalName == element).Value;
        }
    }

    // So that an update of the tool finds a newer version; dependencies between the packages are of the same version.
    [Fact]
    public void Versions_rise_with_the_commits()
    {
        string expected = $"0.1.{Commits()}";
        foreach (string file in Packages("*.nupkg"))
        {
            XElement about = About(file);
            Assert.Equal(expected, about.Elements().Single(static each => each.Name.LocalName == "version").Value);
            IEnumerable<string> ours = about
                .Descendants()
                .Where(static each => each.Name.LocalName == "dependency")
                .Where(static each => each.Attribute("id")!.Value.StartsWith($"{Prefix}.", StringComparison.Ordinal))
                .Select(static each => each.Attribute("version")!.Value);
            Assert.All(ours, version => Assert.Equal(expected, version));
        }
    }

    [Theory]
    [InlineData("Client")]
    [InlineData("Protocol")]
    public void A_console_program_needs_no_ASP_NET_to_be_a_client(string library)
    {
        XElement about = About(Packages($"{Prefix}.{library}.*.nupkg").Single());
        Assert.DoesNotContain(about.Descendants(), static each => each.Name.LocalName == "frameworkReference");
    }

    private static XElement About(string file)
    {
        using ZipArchive package = ZipFile.OpenRead(file);
        ZipArchiveEntry about = package.Entries.Single(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal));
        return XDocument.Load(about.Open()).Root!.Elements().First();
    }

    // 0 where the history is not there in full.
    private static string Commits()
    {
        var run = ClientProcess.Run("git", ["-C", RepositoryRoot.Path, "rev-parse", "--is-shallow-repository", "--show-cdup"]);
        if (run.ExitCode != 0 || run.Output.Trim() != "false")
            return "0";
        return ClientProcess.Run("git", ["-C", RepositoryRoot.Path, "rev-list", "--count", "HEAD"]).Output.Trim();
    }

    [Fact]
    public void No_file_has_the_name_of_a_file_of_Microsofts_Garnet()
    {
        foreach (string file in Packages("*.nupkg"))
        {
            using ZipArchive package = ZipFile.OpenRead(file);
            Assert.Empty(package.Entries.Select(static entry => entry.Name.ToLowerInvariant()).Intersect(TakenNames));
        }
    }

    [Fact]
    public void The_tool_is_small()
    {
        string[] tools = Packages($"{Prefix}.Tool*.nupkg");
        Assert.Equal(4, tools.Length);
        Assert.InRange(tools.Sum(static file => new FileInfo(file).Length), 1, MaxToolBytes);
    }

    [Theory]
    [InlineData("linux-x64", true)]
    [InlineData("any", false)]
    public void The_tool_is_compiled_ahead_of_time_where_it_names_a_platform(string platform, bool isCompiled) =>
        AssertCompiled(platform, isCompiled);

    // Usual runs leave this compilation out of the package.
    [FullRunFact]
    public void The_tool_for_Windows_is_compiled_ahead_of_time() => AssertCompiled("win-x64", isCompiled: true);

    private void AssertCompiled(string platform, bool isCompiled)
    {
        using ZipArchive package = ZipFile.OpenRead(Assert.Single(Packages($"{Prefix}.Tool.{platform}.*.nupkg")));
        string[] libraries =
        [
            .. Directory
                .GetDirectories(RepositoryRoot.Combine("libs"))
                .Select(static folder => Prefix + Path.GetFileName(folder)["Garnet".Length..] + ".dll"),
        ];
        ZipArchiveEntry[] ours = [.. package.Entries.Where(entry => libraries.Contains(entry.Name) || entry.Name == "garnet.dll")];
        Assert.True(ours.Length > 3);
        foreach (ZipArchiveEntry entry in ours)
        {
            using var bytes = new MemoryStream();
            using (Stream content = entry.Open())
                content.CopyTo(bytes);
            bytes.Position = 0;
            Assert.Equal(isCompiled, PackedPackages.IsCompiledAheadOfTime(bytes));
        }
    }

    [Fact]
    public void No_uncommon_native_library_is_needed()
    {
        string[] systems = ["libc", "libc.so.6", "kernel32"];
        foreach (string file in Packages("*.nupkg"))
        {
            using ZipArchive package = ZipFile.OpenRead(file);
            Assert.DoesNotContain(package.Entries, static entry => Path.GetExtension(entry.Name) is ".so" or ".dylib" or ".a");
            foreach (ZipArchiveEntry entry in package.Entries.Where(static entry => Path.GetExtension(entry.Name) == ".dll"))
            {
                using var bytes = new MemoryStream();
                using (Stream content = entry.Open())
                    content.CopyTo(bytes);
                bytes.Position = 0;
                using var reader = new PEReader(bytes);
                Assert.True(reader.HasMetadata, $"{file}: {entry.FullName} is native");
                MetadataReader metadata = reader.GetMetadataReader();
                // Third-party libraries refer to native ones that are never called here.
                if (!entry.Name.StartsWith(Prefix, StringComparison.Ordinal) && entry.Name != "garnet.dll")
                    continue;
                IEnumerable<string> modules = Enumerable
                    .Range(1, metadata.GetTableRowCount(TableIndex.ModuleRef))
                    .Select(row => metadata.GetString(metadata.GetModuleReference(MetadataTokens.ModuleReferenceHandle(row)).Name));
                Assert.Empty(modules.Except(systems));
            }
        }
    }

    [PeerFact("redis-cli")]
    public void The_tool_is_installed_from_its_folder_and_serves_and_saves()
    {
        string folder = packages.NewFolder("tool");
        // Only our folder is a package source: nothing else may be needed.
        PackedPackages.RunDotnet(
            folder,
            packages.Variables,
            "tool",
            "install",
            $"{Prefix}.Tool",
            "--tool-path",
            Path.Combine(folder, "bin"),
            "--source",
            packages.Feed
        );
        AssertServesAndSaves(folder, Path.Combine(folder, "bin", OperatingSystem.IsWindows() ? "garnet.exe" : "garnet"));
    }

    [PeerFact("redis-cli")]
    public void The_tool_for_other_platforms_serves_and_saves()
    {
        string folder = packages.NewFolder("any");
        ZipFile.ExtractToDirectory(Assert.Single(Packages($"{Prefix}.Tool.any.*.nupkg")), folder);
        string program = Assert.Single(Directory.GetFiles(Path.Combine(folder, "tools"), "garnet.dll", SearchOption.AllDirectories));
        // On other systems than Linux it uses the runtime's sockets.
        AssertServesAndSaves(folder, PackedPackages.Dotnet, program, "--transport", "sockets");
    }

    [Fact]
    public void A_local_tool_is_run_by_dotnet()
    {
        string folder = packages.NewFolder("local");
        // The SDK records in the user's home where it unpacked a version of a local tool, even if that folder is gone.
        Dictionary<string, string> variables = new(packages.Variables) { ["DOTNET_CLI_HOME"] = folder };
        PackedPackages.RunDotnet(folder, variables, "new", "tool-manifest");
        PackedPackages.RunDotnet(folder, variables, "tool", "install", $"{Prefix}.Tool", "--source", packages.Feed);
        Assert.StartsWith(
            "Garnet server v=",
            PackedPackages.RunDotnet(folder, variables, "tool", "run", "garnet", "--version"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void An_application_built_from_the_packages_has_no_name_clashes()
    {
        string folder = NewConsumer("consumer", "Microsoft.NET.Sdk.Web", "Hosting", "Caching");
        File.WriteAllText(
            Path.Combine(folder, "Program.cs"),
            """
            using System.Net.Sockets;
            using System.Text;
            using Microsoft.Extensions.Caching.Distributed;

            string path = Path.Combine(AppContext.BaseDirectory, "s");
            var builder = WebApplication.CreateBuilder(args);
            builder.WebHost.UseUrls("http://127.0.0.1:0");
            builder.Services.AddGarnet(options => (options.Port, options.UnixSocket) = (0, path));
            builder.Services.AddHealthChecks().AddGarnet();
            builder.Services.AddGarnetDistributedCache(options => options.InstanceName = "app:");
            await using var app = builder.Build();
            await app.StartAsync();

            // Another visible definition of ToListAsync would make this ambiguous.
            await app.Services.GetRequiredService<IDistributedCache>().SetStringAsync("c", "w", new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(1) });
            List<string> replies = await AskAsync("SET k v", "GET k", "GET app:c").ToListAsync();
            await app.StopAsync();
            Console.WriteLine($"replies: {string.Join(' ', replies)}");

            async IAsyncEnumerable<string> AskAsync(params string[] commands)
            {
                using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(path));
                byte[] reply = new byte[100];
                foreach (string command in commands)
                {
                    await socket.SendAsync(Encoding.ASCII.GetBytes(command + "\r\n"));
                    yield return Encoding.ASCII.GetString(reply, 0, await socket.ReceiveAsync(reply)).ReplaceLineEndings("|");
                }
            }
            """
        );
        Assert.Contains("replies: +OK| $1|v| $1|w|", BuildAndRun(folder));
    }

    [Fact]
    public void A_worker_service_is_built_from_one_package()
    {
        string folder = NewConsumer("worker", "Microsoft.NET.Sdk", "Hosting");
        File.WriteAllText(
            Path.Combine(folder, "Program.cs"),
            """
            using Garnet;
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Hosting;

            HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
            builder.Services.AddGarnet(options => (options.Port, options.UnixSocket) = (0, Path.Combine(AppContext.BaseDirectory, "s")));
            builder.Services.AddHostedService<Counter>();
            builder.Build().Run();

            internal sealed class Counter(IGarnet garnet, IHostApplicationLifetime life) : BackgroundService
            {
                protected override Task ExecuteAsync(CancellationToken stoppingToken)
                {
                    garnet.Increment("count");
                    Console.WriteLine($"count: {garnet.Increment("count")}");
                    life.StopApplication();
                    return Task.CompletedTask;
                }
            }
            """
        );
        Assert.Contains("count: 2", BuildAndRun(folder));
    }

    // A typical user's project: our packages and what they bring along, warnings as errors.
    private string NewConsumer(string name, string sdk, params string[] wanted)
    {
        string folder = packages.NewSource(name);
        File.WriteAllText(
            Path.Combine(folder, "consumer.csproj"),
            $"""
            <Project Sdk="{sdk}">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                <AnalysisLevel>latest-recommended</AnalysisLevel>
                <NuGetAudit>false</NuGetAudit>
              </PropertyGroup>
              <ItemGroup>
                {string.Concat(wanted.Select(static package => $"<PackageReference Include=\"{Prefix}.{package}\" Version=\"*\" />"))}
              </ItemGroup>
            </Project>
            """
        );
        return folder;
    }

    private IEnumerable<string> BuildAndRun(string folder)
    {
        PackedPackages.RunDotnet(
            folder,
            packages.Variables,
            "build",
            "-c",
            "Release",
            "-v",
            "q",
            "--nologo",
            "-o",
            Path.Combine(folder, "out")
        );
        string printed = PackedPackages.RunDotnet(folder, packages.Variables, Path.Combine(folder, "out", "consumer.dll"));
        return printed.Split('\n').Select(static line => line.TrimEnd());
    }

    // Twice in one folder: data set before is there again.
    private static void AssertServesAndSaves(string folder, string program, params string[] first)
    {
        string socket = Path.Combine(folder, "s");
        string data = Directory.CreateDirectory(Path.Combine(folder, "data")).FullName;
        string[] arguments =
        [
            .. first,
            "--port",
            "0",
            "--unixsocket",
            socket,
            "--dir",
            data,
            "--appendonly",
            "yes",
            "--save",
            "3600 1000000",
        ];
        for (int start = 0; start < 2; start++)
        {
            using Process server = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
            try
            {
                Task<string> output = server.StandardOutput.ReadToEndAsync();
                string[] tool = first.Length == 0 ? [] : [first[0]];
                AwaitPing(program, tool, socket, server);
                Assert.Equal(start == 0 ? "" : "hello", Cli(socket, "get", "greeting"));
                // What a newcomer does next needs nothing else.
                var set = ClientProcess.Run(program, [.. tool, "cli", "-s", socket, "set", "greeting", "hello"]);
                Assert.Equal(new ClientProcess(0, "OK\n"), set);
                var load = ClientProcess.Run(program, [.. tool, "bench", "-s", socket, "-n", "100", "-q"]);
                Assert.True(load.ExitCode == 0 && load.Output.Contains("requests per second", StringComparison.Ordinal), load.Output);
                Assert.Equal("Background saving started", Cli(socket, "bgsave"));
                Assert.Equal(0, ClientProcess.Run("/bin/sh", ["-c", $"kill -TERM {server.Id}"]).ExitCode);
                Assert.True(server.WaitForExit(Patience));
                Assert.True(server.ExitCode == 0, output.Result);
            }
            finally
            {
                server.Kill(entireProcessTree: true);
            }
        }

        Assert.True(File.Exists(Path.Combine(data, "dump.rdb")));
    }

    private string[] Packages(string pattern) => Directory.GetFiles(packages.Feed, pattern);

    internal static string Cli(string socket, params string[] arguments)
    {
        var run = ClientProcess.Run(Peers.Find("redis-cli"), ["-s", socket, .. arguments]);
        Assert.True(run.ExitCode == 0, run.Output);
        return run.Output.Trim();
    }

    internal static void AwaitPing(string program, string[] first, string socket, Process server)
    {
        long start = Stopwatch.GetTimestamp();
        while (ClientProcess.Run(program, [.. first, "--ping", "--port", "0", "--unixsocket", socket]) is { ExitCode: not 0 } run)
        {
            Assert.False(server.HasExited, "The tool ended at once.");
            Assert.True(Stopwatch.GetElapsedTime(start) < Patience, run.Output);
            Thread.Sleep(50);
        }
    }
}
