// The list of options. Pure functions.
using System.Text;
using Garnet.Bench.Workloads;

namespace Garnet.Bench.Options;

/// <summary>Text of <c>garnet bench --help</c>, from the tables of options and tests.</summary>
internal static class BenchHelp
{
    private const int NamesWidth = 42;
    private const int LineWidth = 110;

    /// <summary>The text.</summary>
    public static string Build()
    {
        var text = new StringBuilder(
            """
            Usage: garnet bench [options] [command [argument ...]]

            Generates load for a RESP server and measures its replies.

              garnet bench                               SET and GET on 127.0.0.1:6379 for five seconds
              garnet bench -t set,get,zadd -P 16         tests by name
              garnet bench --rate 20000 --fill           20,000 requests a second, whatever the server does
              garnet bench --against 127.0.0.1:6380      two servers in turn
              garnet bench -r 1000 lpush mylist __rand_int__

            """.ReplaceLineEndings()
        );
        string group = "";
        foreach (BenchOption option in BenchOptionTable.All)
        {
            if (option.Group != group)
                text.AppendLine().AppendLine((group = option.Group) + ":");
            string names = string.Join(", ", option.Names) + (option.Argument is null ? "" : " " + option.Argument);
            text.Append("  ").Append(names.PadRight(NamesWidth));
            if (names.Length >= NamesWidth)
                text.AppendLine().Append(' ', NamesWidth + 2);
            text.AppendLine(option.Help);
        }

        text.AppendLine().AppendLine("Tests of -t:");
        AppendTests(text);
        return text.ToString();
    }

    private static void AppendTests(StringBuilder text)
    {
        var line = new StringBuilder(" ");
        foreach (BuiltInTest test in BuiltInTests.Table)
        {
            if (line.Length + test.Name.Length + 1 > LineWidth)
            {
                text.AppendLine(line.ToString());
                line.Clear().Append(' ');
            }

            line.Append(' ').Append(test.Name);
        }

        text.AppendLine(line.ToString());
    }
}
