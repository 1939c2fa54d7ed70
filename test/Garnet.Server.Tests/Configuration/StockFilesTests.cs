// Configuration files of other servers, by version and by what generates them: the folder Files has their settings. No shared state.
using Garnet.Server.Configuration;
using Garnet.Server.Startup;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class StockFilesTests
{
    private static readonly string Folder = RepositoryRoot.Combine("test", "Garnet.Server.Tests", "Configuration", "Files");

    public static TheoryData<string> Accepted() => [.. Names().Except(["valkey-9.1-all"])];

    [Theory]
    [MemberData(nameof(Accepted))]
    public void A_stock_file_is_taken(string name)
    {
        var options = new GarnetOptions();
        OptionReader reader = new(options);
        reader.ReadFile(PathOf(name));
        reader.Finish();
        Assert.Equal(Retired(name).Length > 0, Says(reader, "Options of other versions that have no effect: "));
        foreach (string retired in Retired(name))
            Assert.Contains(reader.Warnings, warning => warning.Contains(retired + " (", StringComparison.Ordinal));
        Assert.Equal(File.ReadAllText(PathOf(name)).Contains("daemonize yes", StringComparison.Ordinal), Says(reader, "daemonize yes"));
        Assert.True(reader.Warnings.Count <= 3, string.Join('\n', reader.Warnings));
    }

    [Fact]
    public void Every_setting_that_Valkey_suggests_is_taken_or_refused_with_the_reason()
    {
        OptionException refused = Assert.Throws<OptionException>(() => new OptionReader(new()).ReadFile(PathOf("valkey-9.1-all")));
        string[] lines = refused.Message.Split(Environment.NewLine);
        string[] faults = [.. lines[1..].Select(static line => line[(line.IndexOf(": ", StringComparison.Ordinal) + 2)..])];
        Assert.Equal(
            [
                "bind-source-addr 10.0.0.1: this server supports '' only: the system chooses the address of outgoing connections",
                "mptcp yes: this server supports 'no' only: Multipath TCP is not supported",
                "tls-client-cert-file client.crt: this server supports '' only: connections to a primary have no certificate of their own",
                "tls-client-key-file client.key: this server supports '' only: connections to a primary have no certificate of their own",
                "tls-client-key-file-pass secret: this server supports '' only: connections to a primary have no certificate of their own",
                "tls-cluster yes: this server supports 'no' only: cluster mode is not implemented",
                "rdma-port 6379: this server supports '0' only: RDMA is not supported",
                "rdma-bind 192.168.1.100: this server supports '' only: RDMA is not supported",
                "cluster-enabled yes: this server supports 'no' only: cluster mode is not implemented",
            ],
            faults
        );
        Assert.Equal("9 settings cannot be used:", lines[0]);
    }

    [Fact]
    public void All_faults_of_a_file_and_of_those_that_it_includes_are_told_with_their_lines()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-faults-").FullName;
        string main = Path.Combine(folder, "main.conf");
        string part = Path.Combine(folder, "part.conf");
        File.WriteAllText(part, "timeout 1\nhz fast\n");
        File.WriteAllText(main, $"port x\ninclude {part}\n# comment\nvm-enabled yes\nsentinel monitor a b\ninclude /no/such\nprt 1\n");
        string[] lines = Assert.Throws<OptionException>(() => new OptionReader(new()).ReadFile(main)).Message.Split(Environment.NewLine);
        Assert.Equal("6 settings cannot be used:", lines[0]);
        string[] expected =
        [
            $"  {main} line 1: port x: argument couldn't be parsed into an integer",
            $"  {part} line 2: hz fast: argument couldn't be parsed into an integer",
            $"  {main} line 4: vm-enabled yes: only 'no' is accepted: the virtual memory of Redis 2 no longer exists",
            $"  {main} line 5: sentinel: this server is not a Sentinel",
            "  /no/such: cannot be read: ",
            $"  {main} line 7: unknown option 'prt' (did you mean port?)",
        ];
        Assert.Equal(expected.Length, lines.Length - 1);
        Assert.All(expected.Zip(lines[1..]), static pair => Assert.StartsWith(pair.First, pair.Second, StringComparison.Ordinal));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void A_file_with_very_many_faults_is_told_in_part()
    {
        using StringReader text = new(string.Concat(Enumerable.Repeat("port x\n", 1000)));
        string message = Assert.Throws<OptionException>(() => new OptionReader(new()).ReadText(text, "standard input")).Message;
        Assert.StartsWith("1000 settings cannot be used:", message, StringComparison.Ordinal);
        Assert.EndsWith("and 980 more", message, StringComparison.Ordinal);
        Assert.Contains("standard input line 20: port x", message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_has_no_effect_is_told_once_and_refused_where_that_is_wanted()
    {
        const string Text = "daemonize yes\nsupervised upstart\nhz 100\nhz 50\nactiverehashing yes\ndynamic-hz yes\ndynamic-hz no\n";
        OptionReader reader = new(new GarnetOptions());
        reader.ReadText(new StringReader(Text), "text");
        reader.Finish();
        Assert.Equal(
            [
                "Options of other versions that have no effect: dynamic-hz (periodic work always adapts to the load)",
                "daemonize yes: the server stays in the foreground; a service manager runs it in the background, or & in a shell",
                "supervised upstart has no effect: only systemd is told when the server is ready",
                "Options that have no effect here: hz",
            ],
            reader.Warnings
        );
        OptionReader strict = new(new GarnetOptions { Strict = true });
        strict.ReadText(new StringReader(Text), "text");
        string[] refusal = Assert.Throws<OptionException>(strict.Finish).Message.Split(Environment.NewLine);
        Assert.Equal(["strict: the server does not start, because of", .. reader.Warnings.Select(static text => "  " + text)], refusal);
    }

    private static bool Says(OptionReader reader, string beginning) =>
        reader.Warnings.Any(warning => warning.StartsWith(beginning, StringComparison.Ordinal));

    private static string[] Retired(string name) =>
        [
            .. File.ReadAllLines(PathOf(name))
                .Select(static line => line.Split(' ')[0])
                .Where(static word => RetiredOptions.Contains(word))
                .Distinct(),
        ];

    private static IEnumerable<string> Names() =>
        Directory.EnumerateFiles(Folder, "*.conf").Select(Path.GetFileNameWithoutExtension).Order()!;

    private static string PathOf(string name) => Path.Combine(Folder, name + ".conf");
}
