// The chi-square test for replies of random commands. Stateless.
using Xunit;

namespace Garnet.Server.Tests.Commands;

/// <summary>Tests whether the frequencies of elements are uniform.</summary>
internal static class Uniformity
{
    /// <summary>
    /// Chi-square with n-1 degrees of freedom is approximately normal with variance 2(n-1); the probability of six standard deviations
    /// above its mean is 10^-9.
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
