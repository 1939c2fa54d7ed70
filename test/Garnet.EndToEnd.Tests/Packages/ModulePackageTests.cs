// Modules as their authors make them: from the template, from the page of the documentation, from the samples. Temporary folders.
using System.Diagnostics;
using System.IO.Compression;
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

[Collection(PackagesCollection.Name)]
public sealed partial class ModulePackageTests(PackedPackages packages)
{
    private const string Prefix = "GarnetCache";

    // What the page "Write a module" says, step by step: the template and its tests, then the module and the test of the page, then a
    // server that loads it while it runs.
    [PeerFact("redis-cli")]
    public void The_page_leads_to_a_module_that_is_tested_loaded_called_and_unloaded()
    {
        string folder = packages.NewSource("module");
        string hive = Path.Combine(folder, "templates");
        Dotnet(folder, "new", "install", $"{Prefix}.Templates", "--add-source", packages.Feed, "--debug:custom-hive", hive);
        Dotnet(folder, "new", "garnet-module", "-n", "Limits", "--debug:custom-hive", hive);
        string made = Path.Combine(folder, "Limits");
        Assert.Contains("Passed:     2", Dotnet(made, "test", "-c", "Release", "-warnaserror", "--nologo"), StringComparison.Ordinal);

        string[] blocks =
        [
            .. CSharpBlock()
                .Matches(File.ReadAllText(RepositoryRoot.Combine("docs", "modules.md")))
                .Select(static match => match.Groups[1].Value),
        ];
        File.WriteAllText(Path.Combine(made, "Limits", "Module.cs"), blocks[0]);
        File.WriteAllText(Path.Combine(made, "Limits.Tests", "ModuleTests.cs"), blocks[1]);
        Assert.Contains("Passed:     1", Dotnet(made, "test", "-c", "Release", "--nologo"), StringComparison.Ordinal);
        LoadAndCall(folder, Path.Combine(made, "Limits", "bin", "Release", "net10.0", "Limits.dll"));
    }

    // The sources of all samples in one program, on the packages alone.
    [Fact]
    public void The_samples_work_with_the_packages()
    {
        string folder = packages.NewSource("samples");
        File.WriteAllText(
            Path.Combine(folder, "samples.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                <NuGetAudit>false</NuGetAudit>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="{Prefix}.Hosting" Version="*" />
                <PackageReference Include="{Prefix}.Modules" Version="*" />
                <Compile Include="{RepositoryRoot.Combine("samples")}/*/*.cs" Exclude="{RepositoryRoot.Combine(
                "samples",
                "Garnet.SampleShop"
            )}/*.cs" />
              </ItemGroup>
            </Project>
            """
        );
        File.WriteAllText(
            Path.Combine(folder, "Program.cs"),
            """
            using Garnet;

            var builder = new GarnetServerBuilder { Options = { Port = 0, UnixSocket = Path.Combine(AppContext.BaseDirectory, "s") } };
            builder.AddModule<Garnet.TokenBucket.TokenBucketModule>().AddModule<Garnet.TagCache.TagCacheModule>();
            builder.AddModule<Garnet.Leaderboard.LeaderboardModule>().AddModule<Garnet.BloomFilter.BloomFilterModule>();
            builder.AddModule<Garnet.CrdtCounter.CrdtCounterModule>().AddModule<Garnet.DelayedQueue.DelayedQueueModule>();
            builder.AddModule<Garnet.SecondaryIndex.SecondaryIndexModule>().AddModule<Garnet.JsonDocuments.JsonDocumentModule>();
            await using GarnetServer server = builder.Build();
            await server.StartAsync();
            server.InProcess.Execute("LIM.TAKE", "bucket", "5", "1");
            server.InProcess.Execute("TAG.SET", "page", "html", "60000", "tag");
            server.InProcess.Execute("LB.SUBMIT", "board", "ann", "10");
            server.InProcess.Execute("BLOOM.RESERVE", "filter", "0.01", "100");
            server.InProcess.Execute("CRDT.ADD", "counter", "3");
            server.InProcess.Execute("DELAY.ADD", "queue", "1000", "item");
            server.InProcess.Execute("JSON.SET", "document", "$", "[1]");
            server.InProcess.Execute("INDEX.FIND", "Kiel");
            Console.WriteLine($"keys: {server.InProcess.Execute("DBSIZE").AsInt64()}");
            """
        );
        Assert.Contains("keys: 7", Dotnet(folder, "run", "-c", "Release"), StringComparison.Ordinal);
    }

    private void LoadAndCall(string folder, string module)
    {
        ZipFile.ExtractToDirectory(Package("Tool.any"), Path.Combine(folder, "tool"));
        string program = Assert.Single(Directory.GetFiles(Path.Combine(folder, "tool"), "garnet.dll", SearchOption.AllDirectories));
        string socket = Path.Combine(folder, "s");
        string[] arguments = ["--port", "0", "--unixsocket", socket, "--save", "", "--enable-module-command", "local"];
        using Process server = Process.Start(
            new ProcessStartInfo(PackedPackages.Dotnet, [program, .. arguments])
            {
                RedirectStandardOutput = true,
                WorkingDirectory = folder,
            }
        )!;
        try
        {
            _ = server.StandardOutput.ReadToEndAsync();
            PackageTests.AwaitPing(PackedPackages.Dotnet, [program], socket, server);
            Assert.Equal("OK", PackageTests.Cli(socket, "module", "load", module));
            Assert.Equal("1", PackageTests.Cli(socket, "lim.take", "user", "1", "0.001"));
            Assert.Equal("0", PackageTests.Cli(socket, "lim.take", "user", "1", "0.001"));
            Assert.Equal("OK", PackageTests.Cli(socket, "module", "unload", "limits"));
            Assert.Contains("unknown command", PackageTests.Cli(socket, "lim.take", "user", "1", "1"), StringComparison.Ordinal);
        }
        finally
        {
            server.Kill(entireProcessTree: true);
        }
    }

    private string Dotnet(string folder, params string[] arguments) => PackedPackages.RunDotnet(folder, packages.Variables, arguments);

    private string Package(string id) => Assert.Single(Directory.GetFiles(packages.Feed, $"{Prefix}.{id}.*.nupkg"));

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex CSharpBlock();
}
