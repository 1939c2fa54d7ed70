// The one source of randomness of the tests: every seed is printed and can be set. Immutable; any thread.
using System.Globalization;
using Xunit.Abstractions;

namespace Garnet.Testing;

/// <summary>A seed with its printing done: a failing random test can always be run again with GARNET_SEED.</summary>
public static class TestSeed
{
    /// <summary>The seed from GARNET_SEED, else <paramref name="usual"/>; says which on the test's output.</summary>
    public static int Choose(ITestOutputHelper output, int usual)
    {
        int seed = Choose(usual);
        output.WriteLine($"seed {seed} (set GARNET_SEED to choose another)");
        return seed;
    }

    /// <summary>The seed from GARNET_SEED, else <paramref name="usual"/>, for tests whose name or messages say the seed.</summary>
    public static int Choose(int usual) =>
        Environment.GetEnvironmentVariable("GARNET_SEED") is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : usual;

    /// <summary>A new seed each run, unless GARNET_SEED is set, for tests whose messages say the seed.</summary>
    public static int ChooseAnew() => Choose(Random.Shared.Next());

    /// <summary>A new seed each run, unless GARNET_SEED is set; says which on the test's output.</summary>
    public static int ChooseAnew(ITestOutputHelper output) => Choose(output, Random.Shared.Next());
}
