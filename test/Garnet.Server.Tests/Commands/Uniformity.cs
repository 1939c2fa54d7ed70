// The chi-square test of what random commands reply. Stateless.
using Xunit;

namespace Garnet.Server.Tests.Commands;

/// <summary>Judges whether it is chance how often each element came.</summary>
internal static class Uniformity
{
    /// <summary>
    /// Chi-square with n-1 degrees of freedom is about normal with variance 2(n-1); six standard deviations above its mean come once in a
    /// thousand million runs.
    /// </summary>
    public static void AssertUniform(int[] counts, long draws)
    {
        Assert.Equal(draws, counts.Sum(count => (long)count));
        double expected = (double)draws / counts.Length;
        double square = counts.Sum(count => (count - expected) * (count - expected) / expected);
        double most = counts.Length - 1 + (6 * Math.Sqrt(2.0 * (counts.Length - 1))) + 12;
        Assert.True(
            square < most,
            $"chi-square {square} of {counts.Length} elements in {draws} draws: {string.Join(' ', counts.Take(100))}"
        );
    }
}
