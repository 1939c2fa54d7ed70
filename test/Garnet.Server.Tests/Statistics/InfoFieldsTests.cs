// Which of Valkey's INFO fields are reported. valkey-info-fields.txt has the names in the reply of valkey-server 9.1 with default options
// to INFO ALL, without those of single commands, errors, databases, listeners, engines and modules.
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Statistics;

public sealed partial class InfoFieldsTests
{
    [Fact]
    public void Every_field_of_Valkey_is_reported_or_in_the_table_of_absent_ones()
    {
        string[] wanted = File.ReadAllLines(RepositoryRoot.Combine("test", "Garnet.Server.Tests", "Statistics", "valkey-info-fields.txt"));
        string page = File.ReadAllText(RepositoryRoot.Combine("docs", "info.md"));
        string[] absent =
        [
            .. page.Split('\n')
                .Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
                .SelectMany(static line => FieldName().Matches(line.Split('|')[1]).Select(static match => match.Groups[1].Value)),
        ];
        Assert.True(wanted.Length > 150);
        Assert.Equal(absent.Distinct(), absent);
        using InProcessServer server = new();
        string[] reported =
        [
            .. server
                .Call("INFO", "all")
                .Split("\r\n")
                .Where(static line => line.Contains(':', StringComparison.Ordinal))
                .Select(static line => line.Split(':')[0]),
        ];
        Assert.Equal(reported.Distinct(), reported);
        Assert.Equal([], absent.Intersect(reported));
        Assert.Equal([], absent.Except(wanted));
        Assert.Equal([], wanted.Except(reported).Except(absent));
    }

    [GeneratedRegex("`([a-z0-9_]+)`")]
    private static partial Regex FieldName();
}
