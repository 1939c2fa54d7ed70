// Reports the failures of tidy tests, one per line. Stateless; any thread.
using Xunit;

namespace Garnet.Tidy.Tests;

internal static class Offences
{
    /// <summary>Fails with all offences if there are any.</summary>
    public static void AssertNone(IEnumerable<string?> offences)
    {
        string?[] found = [.. offences];
        Assert.True(found.Length == 0, string.Join(Environment.NewLine, found));
    }
}
