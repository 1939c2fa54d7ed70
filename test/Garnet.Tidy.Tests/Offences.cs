// One way for the tidy tests to fail: every offence on its own line. Stateless; any thread.
using Xunit;

namespace Garnet.Tidy.Tests;

internal static class Offences
{
    /// <summary>Fails with all of them when there are any.</summary>
    public static void AssertNone(IEnumerable<string?> offences)
    {
        string?[] found = [.. offences];
        Assert.True(found.Length == 0, string.Join(Environment.NewLine, found));
    }
}
