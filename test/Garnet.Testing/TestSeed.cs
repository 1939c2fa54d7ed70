// Seeds of random tests: every seed is printed and can be set. Immutable; any thread.
using System.Globalization;
using Xunit.Abstractions;

namespace Garnet.Testing;

/// <summary>Chooses and prints seeds, so that a failed random test can be repeated with GARNET_SEED.</summary>
internal static class TestSeed
{
    /// <summary>The seed from GARNET_SEED, otherwise <paramref name="usual"/>; printed to the test's output.</summary>
    public static int Choose(ITestOutputHelper output, int usual)
    {
        int seed = Choose(usual);
        output.WriteLine($"seed {seed} (set GARNET_SEED to choose another)");
        return seed;
    }

    /// <summary>The seed from GARNET_SEED, otherwise <paramref name="usual"/>, for tests whose name or messages contain the seed.</summary>
    public static int Choose(int usual) =>
        Environment.GetEnvironmentVariable("GARNET_SEED") is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : usual;

    /// <summary>A new seed for each run, unless GARNET_SEED is set, for tests whose messages contain the seed.</summary>
    public static int ChooseAnew() => Choose(Random.Shared.Next());

    /// <summary>A new seed for each run, unless GARNET_SEED is set; printed to the test's output.</summary>
    public static int ChooseAnew(ITestOutputHelper output) => Choose(output, Random.Shared.Next());
}
