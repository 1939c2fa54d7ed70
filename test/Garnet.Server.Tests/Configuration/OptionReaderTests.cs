// Settings from files and the environment. Each test writes to its own directory.
using System.Collections;
using System.Text.RegularExpressions;
using Garnet.Server.Configuration;
using Garnet.Server.Startup;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class OptionReaderTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("garnet-options-").FullName;
    private readonly GarnetOptions _options = new();

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void A_file_sets_options_and_skips_comments()
    {
        Read(
            """
            # a comment
               # another

            PORT 7000
            bind 127.0.0.1 -::1
            requirepass "a b\x21"
            maxmemory 100mb
            slowlog-max-len 7
            client-output-buffer-limit normal 1mb 0 0
            client-output-buffer-limit pubsub 2mb 0 0
            save ""
            """
        );
        Assert.Equal(7000, _options.Port);
        Assert.Equal(["127.0.0.1", "-::1"], _options.Bind);
        Assert.Equal("a b!", _options.Password);
        Assert.Equal(100L << 20, _options.MaxMemoryBytes);
        Assert.Equal(7, _options.SlowLogMaxLength);
        Assert.Equal(1L << 20, _options.ClientOutputBufferLimits.Normal.HardBytes);
        Assert.Equal(2L << 20, _options.ClientOutputBufferLimits.PubSub.HardBytes);
    }

    [Fact]
    public void Lines_with_files_of_functions_add_up_until_an_empty_one()
    {
        Read("function-load x\nfunction-load \"\"\nfunction-load \"a b.lua\"\nfunction-load c d");
        Assert.Equal(["a b.lua", "c", "d"], _options.FunctionFiles);
        GarnetOptions copy = new();
        OptionDescriptor option = OptionTable.Find("function-load")!;
        Assert.Null(option.TrySet(copy, option.SplitValue(option.Format(_options))));
        Assert.Equal(_options.FunctionFiles, copy.FunctionFiles);
        Assert.Equal([("function-load \"a b.lua\" c d", true)], option.Lines(_options, new GarnetOptions()));
    }

    [Fact]
    public void Each_line_with_a_module_is_one_with_its_arguments()
    {
        Read("loadmodule /a.dll x \"y z\"\nloadmodule \"/b c.dll\"\nlimits.burst 5\nlimits.burst 6");
        Assert.Equal(["/a.dll x \"y z\"", "\"/b c.dll\""], _options.Modules);
        Assert.Equal("6", Assert.Single(_options.ModuleSettings).Value);
        OptionDescriptor option = OptionTable.Find("loadmodule")!;
        GarnetOptions copy = new();
        Assert.Null(option.TrySet(copy, option.SplitValue(option.Format(_options))));
        Assert.Equal(_options.Modules, copy.Modules);
        Assert.Equal(
            [("loadmodule /a.dll x \"y z\"", true), ("loadmodule \"/b c.dll\"", true)],
            option.Lines(_options, new GarnetOptions())
        );
    }

    [Theory]
    [InlineData("port 70000", "line 1: port 70000: argument must be between 0 and 65535 inclusive")]
    [InlineData("\nport 1 2", "line 2: port 1 2: wrong number of arguments (allowed: 0 to 65535)")]
    [InlineData("prot 1", "line 1: unknown option 'prot'")]
    [InlineData("logfile \"x", "line 1: unbalanced quotes")]
    [InlineData("save 60", "line 1: save 60: Invalid save parameters (allowed: \"\" | seconds changes [seconds changes ...])")]
    [InlineData("include /no/such/file", "/no/such/file: cannot be read: ")]
    public void A_wrong_line_is_named_with_file_and_number(string text, string message)
    {
        OptionException thrown = Assert.Throws<OptionException>(() => Read(text));
        Assert.Contains(message, thrown.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', thrown.Message);
    }

    [Fact]
    public void A_password_is_not_repeated_in_the_message()
    {
        OptionException thrown = Assert.Throws<OptionException>(() => Read("requirepass secret words"));
        Assert.DoesNotContain("secret", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Includes_are_read_in_place_by_name_and_by_pattern()
    {
        File.WriteAllText(Path.Combine(_directory, "b.part"), "timeout 2\nport 2");
        File.WriteAllText(Path.Combine(_directory, "a.part"), "timeout 1\ndatabases 4");
        Read($"include {_directory}/*.part\nport 3\ninclude {_directory}/none-*.part");
        Assert.Equal((2, 3, 4), (_options.TimeoutSeconds, _options.Port, _options.Databases));
    }

    [Fact]
    public void A_file_that_includes_itself_is_refused()
    {
        string path = Path.Combine(_directory, "garnet.conf");
        OptionException thrown = Assert.Throws<OptionException>(() => Read($"include {path}"));
        Assert.Contains("deep", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_environment_sets_options_and_foreign_variables_do_not_matter()
    {
        new OptionReader(_options).ReadEnvironment(
            new Hashtable
            {
                ["GARNET_PORT"] = "7001",
                ["GARNET_BIND"] = "127.0.0.1 ::1",
                ["GARNET_MAXMEMORY_POLICY"] = "noeviction",
                ["GARNET_SLOWLOG_MAX_LEN"] = "9",
                ["GARNET_SERVICE_HOST"] = "10.0.0.1",
                ["PORT"] = "1",
            }
        );
        Assert.Equal(7001, _options.Port);
        Assert.Equal(["127.0.0.1", "::1"], _options.Bind);
        Assert.Equal(9, _options.SlowLogMaxLength);
    }

    [Fact]
    public void A_wrong_variable_is_named()
    {
        OptionException thrown = Assert.Throws<OptionException>(() =>
            new OptionReader(_options).ReadEnvironment(new Hashtable { ["GARNET_DATABASES"] = "0" })
        );
        Assert.StartsWith("GARNET_DATABASES 0: ", thrown.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GARNET_APPEND_ONLY", "yes", "; is GARNET_APPENDONLY meant?")]
    [InlineData("GARNET_REQUIRE_PASS", "secret", "; is GARNET_REQUIREPASS meant?")]
    [InlineData("GARNET_PASSWORD", "secret", "; is GARNET_REQUIREPASS meant?")]
    [InlineData("GARNET_IDLE_TIMEOUT", "5", "; is GARNET_TIMEOUT meant?")]
    [InlineData("GARNET_MAX_MEMORY_POLICY", "noeviction", "; is GARNET_MAXMEMORY_POLICY meant?")]
    [InlineData("GARNET_SOMETHING_ELSE_ENTIRELY", "x", "")]
    public void A_misspelt_variable_is_told_and_refused_where_that_is_wanted(string variable, string value, string suggestion)
    {
        OptionReader reader = new(_options);
        reader.ReadEnvironment(new Hashtable { [variable] = value });
        reader.Finish();
        string warning = Assert.Single(reader.Warnings);
        Assert.Equal($"{variable} has no effect, as there is no such option{suggestion}", warning);
        OptionReader strict = new(_options);
        strict.ReadEnvironment(new Hashtable { [variable] = value, ["GARNET_STRICT"] = "yes" });
        Assert.Contains(warning, Assert.Throws<OptionException>(strict.Finish).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Variables_for_other_purposes_are_not_taken_for_misspelt_ones()
    {
        var variables = new Hashtable
        {
            ["GARNET_SERVICE_HOST"] = "10.0.0.1",
            ["GARNET_SERVICE_PORT"] = "6379",
            ["GARNET_SERVICE_PORT_RESP"] = "6379",
            ["GARNET_PORT"] = "tcp://10.0.0.1:6379",
            ["GARNET_PORT_6379_TCP"] = "tcp://10.0.0.1:6379",
            ["GARNET_PORT_6379_TCP_ADDR"] = "10.0.0.1",
            ["GARNET_PRIMARY_PORT"] = "tcp://10.0.0.1:6379",
            ["GARNET_PRIMARY_SERVICE_HOST"] = "10.0.0.1",
            ["GARNETS"] = "x",
            ["garnet_port"] = "x",
            ["GARNET_STRICT"] = "yes",
        };
        foreach (string name in EnvironmentNames.OfTests)
            variables[name] = "1";
        OptionReader reader = new(_options);
        reader.ReadEnvironment(variables);
        reader.Finish();
        Assert.Empty(reader.Warnings);
    }

    [Fact]
    public void The_variables_of_tests_are_those_that_tests_read_and_the_page_describes()
    {
        IEnumerable<string> read = Directory
            .EnumerateFiles(RepositoryRoot.Combine("test"), "*.cs", SearchOption.AllDirectories)
            .SelectMany(static file => Regex.Matches(File.ReadAllText(file), @"(?:EnvironmentVariable|Published)\(""(GARNET_[A-Z_]+)"""))
            .Select(static match => match.Groups[1].Value);
        Assert.Equal([], read.Distinct().Except([.. EnvironmentNames.OfTests, "GARNET_SYSTEM"]));
        string page = File.ReadAllText(RepositoryRoot.Combine("CONTRIBUTING.md"));
        Assert.All(EnvironmentNames.OfTests, name => Assert.Contains($"`{name}", page, StringComparison.Ordinal));
    }

    [Fact]
    public void All_wrong_variables_are_told_at_once()
    {
        Hashtable variables = new() { ["GARNET_PORT"] = "x", ["GARNET_DATABASES"] = "0" };
        string message = Assert.Throws<OptionException>(() => new OptionReader(_options).ReadEnvironment(variables)).Message;
        Assert.StartsWith("2 settings cannot be used:", message, StringComparison.Ordinal);
        Assert.Contains("GARNET_DATABASES 0: ", message, StringComparison.Ordinal);
        Assert.Contains("GARNET_PORT x: ", message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_service_link_of_kubernetes_is_not_taken_for_a_port()
    {
        new OptionReader(_options).ReadEnvironment(new Hashtable { ["GARNET_PORT"] = "tcp://10.3.2.1:6379" });
        Assert.Equal(6379, _options.Port);
    }

    private void Read(string text)
    {
        string path = Path.Combine(_directory, "garnet.conf");
        File.WriteAllText(path, text);
        new OptionReader(_options).ReadFile(path);
    }
}
