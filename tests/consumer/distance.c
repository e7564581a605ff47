// The C interface by itself: an L of triangles and a ball in its notch.
#include <scree/scree_distance.h>
#include <stdio.h>

int main(void) {
    const double points[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0,
                             0, 0, 1, 2, 0, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 0, 2, 1};
    const int triangles[] = {0, 2, 1, 0, 3, 2, 0, 5, 3, 3, 5, 4, 6, 7, 8,  6, 8,  9,  6, 9,  11, 9, 10, 11, 0, 1, 7, 0, 7, 6,
                             1, 2, 8, 1, 8, 7, 2, 3, 9, 2, 9, 8, 3, 4, 10, 3, 10, 9,  4, 5,  11, 4, 11, 10, 5, 0, 6, 5, 6, 11};
    const double center[3] = {1.75, 1.5, 0.5};
    scree_body* notched = scree_mesh(points, 12, triangles, 20);
    scree_body* ball = scree_sphere(center, 0.25);
    scree_answer answer;
    if (notched == 0 || ball == 0 || scree_distance(notched, ball, 0, -1, &answer) != 0) {
        printf("%s\n", scree_last_error());
        return 1;
    }
    printf("distance %g from %g %g %g\n", answer.distance, answer.point_a[0], answer.point_a[1], answer.point_a[2]);
    scree_body_free(ball);
    scree_body_free(notched);
    return scree_sphere(0, 1) == 0 ? 0 : 1;
}
